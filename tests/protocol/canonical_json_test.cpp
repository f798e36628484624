#include "protocol/canonical_json.hpp"

#include <array>
#include <gtest/gtest.h>

namespace fairlead::protocol::canonical_json_test {
namespace {

TEST(CanonicalJson, SortsMembersAtEveryDepth) {
  EXPECT_EQ(canonical_json(R"( {"b" : [ {"d":1, "c":2} ], "a":{} } )"), R"({"a":{},"b":[{"c":2,"d":1}]})");
}

TEST(CanonicalJson, WritesEqualNumbersEqually) {
  EXPECT_EQ(canonical_json("[1,1.0,10e-1,-0,-0.0,0.5,5e-1,1e2]"), "[1,1,1,0,0,0.5,0.5,100]");
}

TEST(CanonicalJson, KeepsLargeIntegersExact) {
  EXPECT_EQ(canonical_json("[9223372036854775807,18446744073709551615,-9223372036854775808]"),
            "[9223372036854775807,18446744073709551615,-9223372036854775808]");
}

TEST(CanonicalJson, WritesEscapesInOneForm) {
  EXPECT_EQ(canonical_json(R"(["\u0041\/\n\u00e9"])"), canonical_json("[\"A/\\u000a\xC3\xA9\"]"));
}

TEST(CanonicalJson, OmitsNamedMembersOfTheOutermostObjectOnly) {
  constexpr std::array<std::string_view, 1> without{"m"};
  EXPECT_EQ(canonical_json(R"({"m":1,"a":{"m":2}})", without), R"({"a":{"m":2}})");
}

TEST(CanonicalJson, DistinguishesTypes) {
  EXPECT_NE(canonical_json(R"(["1"])"), canonical_json("[1]"));
  EXPECT_NE(canonical_json("[null]"), canonical_json("[false]"));
}

TEST(CanonicalJson, RefusesInvalidJson) {
  for (const char* text : {"", "{", "nope", "{\"a\":1,}", "[1] 2"}) EXPECT_FALSE(canonical_json(text)) << text;
  EXPECT_FALSE(canonical_json(std::string(100'000, '[')));
}

}  // namespace
}  // namespace fairlead::protocol::canonical_json_test
