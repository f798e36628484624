#include "cli/typed_arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

namespace fairlead::cli::typed_arguments_test {
namespace {

using testing::HasSubstr;

const auto schema = json::Payload::trusted(R"({
  "type": "object",
  "$defs": {"count": {"type": "integer"}},
  "properties": {
    "text": {"type": "string"},
    "ratio": {"type": "number"},
    "days": {"$ref": "#/$defs/count"},
    "deep": {"type": "boolean"},
    "tags": {"type": "array", "items": {"type": "string"}},
    "sizes": {"type": "array", "items": {"type": "integer"}},
    "where": {"type": "object"},
    "maybe": {"type": ["integer", "null"]},
    "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    "anything": {}
  }
})");

Result<std::string> typed(std::vector<std::string> words, std::string base = "{}") {
  return typed_arguments(words, schema, std::move(base));
}

TEST(TypedArguments, KeepsStringsThatLookLikeNumbers) {
  EXPECT_EQ(typed({"text=42"}), R"({"text":"42"})");
  EXPECT_EQ(typed({"text=a=b \"c\""}), R"({"text":"a=b \"c\""})");
  EXPECT_EQ(typed({"text="}), R"({"text":""})");
}

TEST(TypedArguments, ConvertsNumbersAndBooleans) {
  EXPECT_EQ(typed({"ratio=0.5", "days=3", "deep=true"}), R"({"ratio":0.5,"days":3,"deep":true})");
}

TEST(TypedArguments, KeepsAllDigitsOfLargeNumbers) {
  EXPECT_EQ(typed({"days=123456789012345678901234567890"}), R"({"days":123456789012345678901234567890})");
}

TEST(TypedArguments, AppendsOneArrayElementPerArgument) {
  EXPECT_EQ(typed({"tags=a", "tags=b,c"}), R"({"tags":["a","b,c"]})");
  EXPECT_EQ(typed({"sizes=1", "sizes=2"}), R"({"sizes":[1,2]})");
}

TEST(TypedArguments, AcceptsAJsonArray) {
  EXPECT_EQ(typed({"sizes=[1,2]"}), R"({"sizes":[1,2]})");
}

TEST(TypedArguments, ParsesObjectsAsJson) {
  EXPECT_EQ(typed({R"(where={"x":1})"}), R"({"where":{"x":1}})");
}

TEST(TypedArguments, AcceptsNullIfTheSchemaAllowsIt) {
  EXPECT_EQ(typed({"maybe=null"}), R"({"maybe":null})");
  EXPECT_FALSE(typed({"days=null"}));
}

TEST(TypedArguments, PrefersStringIfTheSchemaAllowsIt) {
  EXPECT_EQ(typed({"either=7"}), R"({"either":"7"})");
}

TEST(TypedArguments, TreatsUnknownPropertiesAsStrings) {
  EXPECT_EQ(typed({"anything=1", "other=true"}), R"({"anything":"1","other":"true"})");
  EXPECT_EQ(typed_arguments(std::vector<std::string>{"a=1"}, {}), R"({"a":"1"})");
}

TEST(TypedArguments, ColonEqualsForcesJson) {
  EXPECT_EQ(typed({"text:=42", "other:=[true]"}), R"({"text":42,"other":[true]})");
  EXPECT_FALSE(typed({"text:={"}));
}

TEST(TypedArguments, AddsToTheBaseObject) {
  EXPECT_EQ(typed({"days=3"}, R"({"text":"x","days":1})"), R"({"text":"x","days":3})");
  EXPECT_FALSE(typed({"days=3"}, "[]"));
  EXPECT_FALSE(typed({}, "{"));
}

TEST(TypedArguments, ErrorNamesTheProblemAndTheFix) {
  const auto wrong = typed({"days=soon"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "days: expected integer, got 'soon'; use days:=<json> to send raw JSON");
  const auto bare = typed({"days"});
  ASSERT_FALSE(bare);
  EXPECT_THAT(bare.error().message, HasSubstr("name=value"));
  EXPECT_FALSE(typed({"=3"}));
}

TEST(TypedArguments, StopsAtRecursiveReferences) {
  const auto endless = json::Payload::trusted(R"({"properties":{"a":{"$ref":"#/properties/a"}}})");
  EXPECT_EQ(typed_arguments(std::vector<std::string>{"a=1"}, endless), R"({"a":"1"})");
}

}  // namespace
}  // namespace fairlead::cli::typed_arguments_test
