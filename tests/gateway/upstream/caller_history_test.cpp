#include "gateway/upstream/caller_history.hpp"

#include <gtest/gtest.h>

namespace fairlead::gateway::test::caller_history_test {
namespace {

const CallerId anna{.principal = "anna"};
const CallerId first{.session = 1};
const CallerId second{.session = 2};
const CallerId third{.session = 3};

TEST(CallerHistory, Finding_S4_KeepsAPrincipalUntilTheNextConnection) {
  CallerHistory history;
  EXPECT_FALSE(history.any_since_connect());
  history.add(anna);
  history.remove_session(1, 0);
  EXPECT_TRUE(history.contains(anna));
  history.reset();
  EXPECT_FALSE(history.contains(anna));
  EXPECT_FALSE(history.any_since_connect());
}

TEST(CallerHistory, Finding_S4_AnEndedSessionAffectsSessionsThatOverlapped) {
  CallerHistory history;
  history.add(first);
  history.remove_session(1, 2);
  EXPECT_FALSE(history.contains(first));
  EXPECT_TRUE(history.may_come_from_ended_session(second));
  EXPECT_FALSE(history.may_come_from_ended_session(third)) << "a later session may be the same client";
  EXPECT_TRUE(history.may_come_from_ended_session(anna)) << "a principal is never another client";
}

TEST(CallerHistory, Finding_S4_ForgetsASessionThatNeverCalled) {
  CallerHistory history;
  history.add(second);
  history.remove_session(1, 2);
  EXPECT_FALSE(history.may_come_from_ended_session(second));
}

}  // namespace
}  // namespace fairlead::gateway::test::caller_history_test
