#include <fairlead/json/dom.hpp>

#include <bit>
#include <cmath>
#include <fairlead/json/codec.hpp>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace fairlead::json::dom_test {
namespace {

struct Holder {
  boost::json::value any;
  std::optional<boost::json::value> maybe = {};
};

TEST(Dom, WorksAsAMemberOfAStruct) {
  const auto holder = decode<Holder>(R"({"any":{"a":[1,2.5,"x",true,null,18446744073709551615]}})");
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->any.at("a").at(0).as_int64(), 1);
  EXPECT_EQ(encode(*holder), R"({"any":{"a":[1,2.5,"x",true,null,18446744073709551615]}})");
}

TEST(Dom, DistinguishesNullFromAbsent) {
  EXPECT_FALSE(decode<Holder>(R"({"any":1})")->maybe);
  ASSERT_TRUE(decode<Holder>(R"({"any":1,"maybe":null})")->maybe);
  EXPECT_EQ(encode(*decode<Holder>(R"({"any":1,"maybe":null})")), R"({"any":1,"maybe":null})");
}

TEST(Dom, WritesValidJsonForNonFiniteNumbers) {
  const boost::json::value value = {std::numeric_limits<double>::infinity(), std::nan(""), "\xC3", 0.1};
  EXPECT_EQ(encode(value), "[null,null,\"\uFFFD\",0.1]");
}

TEST(Dom, RoundTripsEveryDouble) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    ASSERT_EQ(parse_dom(encode(number)).to_number<double>(), number);
  }
}

TEST(Dom, KeepsTheSignOfZero) {
  EXPECT_EQ(encode(parse_dom("[-0,-0.0,0,-1e-400]")), "[-0,-0,0,-0]");
}

TEST(Dom, AgreesWithBoostOtherwise) {
  const std::string text =
      R"( { "a\n\u00e9" : [ 1 , -9223372036854775808, 18446744073709551615, "", "x\ty" ], "b":{},"c":[],"d":[[{"e":null}]], "a":true } )";
  EXPECT_EQ(parse_dom(text), boost::json::parse(text));
}

TEST(Dom, SchemaAcceptsAnything) {
  EXPECT_EQ(schema_of<boost::json::value>(), "{}");
}

}  // namespace
}  // namespace fairlead::json::dom_test
