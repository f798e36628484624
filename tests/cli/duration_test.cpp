#include "cli/duration.hpp"

#include <gtest/gtest.h>

namespace fairlead::cli {
namespace {

using namespace std::chrono_literals;

TEST(ReadDuration, TakesTheUsualUnits) {
  EXPECT_EQ(read_duration("500ms"), Duration(500ms));
  EXPECT_EQ(read_duration("30s"), Duration(30s));
  EXPECT_EQ(read_duration("1.5m"), Duration(90s));
  EXPECT_EQ(read_duration("1h"), Duration(1h));
}

TEST(ReadDuration, ABareNumberCountsSeconds) {
  EXPECT_EQ(read_duration("7"), Duration(7s));
}

TEST(ReadDuration, RefusesWhatIsNone) {
  for (const auto* text : {"", "s", "3 s", "-1s", "0", "nan", "inf", "1e300h", "5d", "30seconds"}) {
    const auto duration = read_duration(text);
    ASSERT_FALSE(duration) << text;
    EXPECT_NE(duration.error().message.find("write 500ms"), std::string::npos);
  }
}

}  // namespace
}  // namespace fairlead::cli
