#include <cmath>
#include <fairlead/json/codec.hpp>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "json/exact_text.hpp"

namespace fairlead::json::codec_number_test {
namespace {

template <class T>
void expect_same(std::string_view text, T value) {
  const ExactText exact(text);
  const auto read = decode<T>(exact.view());
  ASSERT_TRUE(read) << text << ": " << read.error().message;
  EXPECT_EQ(*read, value) << text;
}

template <class T>
bool refuses(std::string_view text) {
  const ExactText exact(text);
  return !decode<T>(exact.view());
}

template <class T>
void expect_edges() {
  using Limits = std::numeric_limits<T>;
  expect_same<T>(encode(Limits::min()), Limits::min());
  expect_same<T>(encode(Limits::max()), Limits::max());
}

TEST(CodecNumber, ReadsTheLimitsOfEveryIntegerType) {
  expect_edges<std::int8_t>();
  expect_edges<std::uint8_t>();
  expect_edges<std::int16_t>();
  expect_edges<std::uint16_t>();
  expect_edges<std::int32_t>();
  expect_edges<std::uint32_t>();
  expect_edges<std::int64_t>();
  expect_edges<std::uint64_t>();
  EXPECT_EQ(encode(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(encode(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
}

TEST(CodecNumber, RefusesIntegersBeyondTheLimits) {
  EXPECT_TRUE(refuses<std::int8_t>("128"));
  EXPECT_TRUE(refuses<std::int8_t>("-129"));
  EXPECT_TRUE(refuses<std::uint8_t>("256"));
  EXPECT_TRUE(refuses<std::uint8_t>("-1"));
  EXPECT_TRUE(refuses<std::uint16_t>("1e5"));
  EXPECT_TRUE(refuses<std::int64_t>("9223372036854775808"));
  EXPECT_TRUE(refuses<std::int64_t>("-9223372036854775809"));
  EXPECT_TRUE(refuses<std::uint64_t>("18446744073709551616"));
  EXPECT_TRUE(refuses<std::uint64_t>("-0.5"));
}

TEST(CodecNumber, NamesTheRangeInItsError) {
  EXPECT_EQ(decode<std::uint8_t>("300").error().message, "expected an integer from 0 to 255, got 300");
  EXPECT_EQ(decode<std::int8_t>("1.5").error().message, "expected an integer from -128 to 127, got 1.5");
  EXPECT_LT(decode<int>(std::string(1000, '9')).error().message.size(), 150u);
}

TEST(CodecNumber, AcceptsIntegersInEveryNotation) {
  expect_same<int>("1e2", 100);
  expect_same<int>("1.0", 1);
  expect_same<int>("-2.50e1", -25);
  expect_same<int>("-0", 0);
  expect_same<unsigned>("-0", 0u);
  expect_same<unsigned>("-0.0", 0u);
  expect_same<unsigned>("1E+2", 100u);
  expect_same<std::int64_t>("9007199254740991.0", 9007199254740991);
}

TEST(CodecNumber, RefusesAFractionThatADoubleWouldRoundToAnInteger) {
  EXPECT_TRUE(refuses<int>("1.5"));
  EXPECT_TRUE(refuses<int>("1e-1"));
  EXPECT_TRUE(refuses<std::int64_t>("9007199254740993.5"));
  EXPECT_TRUE(refuses<std::int64_t>("9007199254740993.0"));
  EXPECT_TRUE(refuses<std::int64_t>("1e400"));
}

TEST(CodecNumber, KeepsDoublesExactly) {
  expect_same<double>("9007199254740993", 9007199254740992.0);
  expect_same<double>("18446744073709551615", 18446744073709551615.0);
  expect_same<double>("5e-324", 5e-324);
  expect_same<double>("2.2250738585072011e-308", 2.2250738585072011e-308);
  expect_same<double>("1.7976931348623157e308", 1.7976931348623157e308);
  EXPECT_TRUE(std::signbit(*decode<double>("-0")));
  EXPECT_TRUE(std::signbit(*decode<double>("-0.0")));
}

TEST(CodecNumber, RefusesNumbersTooLargeForADouble) {
  EXPECT_TRUE(refuses<double>("1e400"));
  EXPECT_TRUE(refuses<double>("-1e99999999999"));
  EXPECT_TRUE(refuses<double>("true"));
  EXPECT_TRUE(refuses<float>("1e39"));
}

TEST(CodecNumber, ReadsNumbersTooSmallForADoubleAsZero) {
  expect_same<double>("1e-400", 0);
  expect_same<double>("-1e-99999999999999999999", 0);
  expect_same<double>("0." + std::string(400, '0') + "1", 0);
  expect_same<double>("0e99999999999999999999", 0);
  expect_same<double>("0." + std::string(400, '0') + "1e+402", 10);
  EXPECT_TRUE(refuses<double>(std::string(400, '1') + "e-10"));
}

TEST(CodecNumber, WritesFloatsInTheirShortestForm) {
  EXPECT_EQ(encode(0.1F), "0.1");
  expect_same<float>("0.1", 0.1F);
  expect_same<float>("3.4028235e38", std::numeric_limits<float>::max());
  EXPECT_EQ(encode(std::numeric_limits<float>::infinity()), "null");
}

TEST(CodecNumber, RoundTripsEveryDouble) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    const auto text = encode(number);
    ASSERT_FALSE(scan(text)) << text;
    ASSERT_EQ(decode<double>(text), number) << text;
  }
}

TEST(CodecNumber, RoundTripsEveryFloat) {
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto number = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(number)) continue;
    const auto text = encode(number);
    ASSERT_FALSE(scan(text)) << text;
    ASSERT_EQ(decode<float>(text), number) << text;
  }
}

}  // namespace
}  // namespace fairlead::json::codec_number_test
