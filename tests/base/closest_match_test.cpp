#include "base/closest_match.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace fairlead::closest_match_test {
namespace {

const std::vector<std::string> names{"call", "list", "discover", "smoke", "prompt"};

TEST(ClosestMatch, FindsANameWithATypo) {
  EXPECT_EQ(closest_match("lsit", names), "list");
  EXPECT_EQ(closest_match("lst", names), "list");
  EXPECT_EQ(closest_match("smokee", names), "smoke");
  EXPECT_EQ(closest_match("dicsover", names), "discover");
}

TEST(ClosestMatch, FindsANameByItsPrefix) {
  EXPECT_EQ(closest_match("disc", names), "discover");
  EXPECT_EQ(closest_match("pro", names), "prompt");
}

TEST(ClosestMatch, ReturnsNothingForADistantWord) {
  EXPECT_EQ(closest_match("xyzzy", names), std::nullopt);
  EXPECT_EQ(closest_match("", names), std::nullopt);
  EXPECT_EQ(closest_match("call", {}), std::nullopt);
}

}  // namespace
}  // namespace fairlead::closest_match_test
