#include "gateway/upstream/callers.hpp"

#include <gtest/gtest.h>

namespace fairlead::gateway::test::callers_test {
namespace {

const CallerId anna{.principal = "anna"};
const CallerId first{.session = 1};
const CallerId second{.session = 2};
const CallerId third{.session = 3};

TEST(Callers, Finding_S4_APrincipalCountsUntilTheConnectionBeginsAnew) {
  Callers callers;
  EXPECT_FALSE(callers.any_since_start());
  callers.add(anna);
  callers.remove_session(1, 0);
  EXPECT_TRUE(callers.contains(anna));
  callers.reset();
  EXPECT_FALSE(callers.contains(anna));
  EXPECT_FALSE(callers.any_since_start());
}

TEST(Callers, Finding_S4_ASessionThatHasEndedCountsForThoseThatWereOpenBesideIt) {
  Callers callers;
  callers.add(first);
  callers.remove_session(1, 2);
  EXPECT_FALSE(callers.contains(first));
  EXPECT_TRUE(callers.may_be_of_the_gone(second));
  EXPECT_FALSE(callers.may_be_of_the_gone(third)) << "it came later, and may be the same client";
  EXPECT_TRUE(callers.may_be_of_the_gone(anna)) << "whom nobody can be but herself";
}

TEST(Callers, Finding_S4_ASessionThatNeverCalledLeavesNothingBehind) {
  Callers callers;
  callers.add(second);
  callers.remove_session(1, 2);
  EXPECT_FALSE(callers.may_be_of_the_gone(second));
}

}  // namespace
}  // namespace fairlead::gateway::test::callers_test
