#include "base/nearest.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace fairlead::nearest_test {
namespace {

const std::vector<std::string> names{"call", "list", "discover", "smoke", "prompt"};

TEST(Nearest, ForgivesASlipOfTheFingers) {
  EXPECT_EQ(nearest("lsit", names), "list");
  EXPECT_EQ(nearest("lst", names), "list");
  EXPECT_EQ(nearest("smokee", names), "smoke");
  EXPECT_EQ(nearest("dicsover", names), "discover");
}

TEST(Nearest, CompletesAWordThatWasBegun) {
  EXPECT_EQ(nearest("disc", names), "discover");
  EXPECT_EQ(nearest("pro", names), "prompt");
}

TEST(Nearest, SuggestsNothingThatIsFarOff) {
  EXPECT_EQ(nearest("xyzzy", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
  EXPECT_EQ(nearest("call", {}), std::nullopt);
}

}  // namespace
}  // namespace fairlead::nearest_test
