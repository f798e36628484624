#include "base/duration.hpp"

#include <gtest/gtest.h>

namespace fairlead::duration_test {
namespace {

using namespace std::chrono_literals;

TEST(ReadDuration, ParsesTheUsualUnits) {
  EXPECT_EQ(read_duration("500ms"), Duration(500ms));
  EXPECT_EQ(read_duration("30s"), Duration(30s));
  EXPECT_EQ(read_duration("1.5m"), Duration(90s));
  EXPECT_EQ(read_duration("1h"), Duration(1h));
}

TEST(ReadDuration, ReadsANumberWithoutUnitAsSeconds) {
  EXPECT_EQ(read_duration("7"), Duration(7s));
}

TEST(ReadDuration, RefusesInvalidDurations) {
  for (const auto* text : {"", "s", "3 s", "-1s", "0", "nan", "inf", "1e300h", "5d", "30seconds"}) {
    const auto duration = read_duration(text);
    ASSERT_FALSE(duration) << text;
    EXPECT_NE(duration.error().message.find("such as 30s"), std::string::npos);
  }
}

TEST(WriteDuration, RoundTrips) {
  EXPECT_EQ(write_duration(90s), "90s");
  EXPECT_EQ(write_duration(120s), "2m");
  EXPECT_EQ(write_duration(1500ms), "1500ms");
  for (const Duration duration : {Duration(1ms), Duration(61s), Duration(7h), Duration(2min)}) {
    EXPECT_EQ(read_duration(write_duration(duration)), duration);
  }
}

}  // namespace
}  // namespace fairlead::duration_test
