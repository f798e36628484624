#include "base/parse_number.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace fairlead::parse_number_test {
namespace {

TEST(ParseNumber, ReadsTheWholeText) {
  EXPECT_EQ(parse_number<std::int64_t>("-12"), -12);
  EXPECT_EQ(parse_number<double>("0.5"), 0.5);
  EXPECT_EQ(parse_number<unsigned>("fF", 16), 255U);
}

TEST(ParseNumber, RefusesAnythingBesideTheNumber) {
  for (const auto* text : {"", " 1", "1 ", "+1", "1x", "0x1"}) EXPECT_FALSE(parse_number<int>(text)) << text;
}

TEST(ParseNumber, RefusesWhatTheTypeCannotHold) {
  EXPECT_FALSE(parse_number<std::uint16_t>("65536"));
  EXPECT_FALSE(parse_number<unsigned>("-1"));
}

}  // namespace
}  // namespace fairlead::parse_number_test
