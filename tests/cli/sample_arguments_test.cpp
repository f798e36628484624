#include "cli/sample_arguments.hpp"

#include <gtest/gtest.h>

namespace fairlead::cli::sample_arguments_test {
namespace {

protocol::Tool tool(std::string schema) {
  protocol::Tool made;
  made.name = "t";
  made.inputSchema = json::Payload::trusted(std::move(schema));
  return made;
}

TEST(SampleArguments, DetectsToolsWithoutRequiredArguments) {
  EXPECT_TRUE(has_no_required_arguments(tool(R"({"type":"object","properties":{"a":{"type":"string"}}})")));
  EXPECT_TRUE(has_no_required_arguments(tool(R"({"type":"object","required":[]})")));
  EXPECT_FALSE(has_no_required_arguments(tool(R"({"type":"object","required":["a"]})")));
  EXPECT_EQ(sample_arguments(tool(R"({"type":"object"})")), "{}");
}

TEST(SampleArguments, GeneratesAValueForEveryRequiredType) {
  const auto made = sample_arguments(tool(R"({"type":"object","properties":{
    "s":{"type":"string"},"i":{"type":"integer","minimum":5},"n":{"type":"number"},"b":{"type":"boolean"},
    "a":{"type":"array"},"o":{"type":"object"},"e":{"enum":["x","y"]},"d":{"type":"string","default":"z"},
    "free":{"type":"string"}},"required":["s","i","n","b","a","o","e","d","unknown"]})"));
  EXPECT_EQ(made, R"({"s":"test","i":5,"n":1,"b":true,"a":[],"o":{},"e":"x","d":"z","unknown":"test"})");
}

TEST(SampleArguments, IgnoresInvalidSchemas) {
  for (const auto* schema : {"true", "[]", R"({"required":7})", R"({"required":[1,null]})"}) {
    EXPECT_EQ(sample_arguments(tool(schema)), "{}") << schema;
  }
}

}  // namespace
}  // namespace fairlead::cli::sample_arguments_test
