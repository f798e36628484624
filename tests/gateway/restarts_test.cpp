#include "gateway/upstream/restarts.hpp"

#include <gtest/gtest.h>

namespace fairlead::gateway::restarts_test {
namespace {

using namespace std::chrono_literals;

class RestartsTest : public testing::Test {
 protected:
  ManualClock clock_;
  Restarts restarts_{{.first = 100ms, .most = 1s, .steady = 10s}, clock_};
};

TEST_F(RestartsTest, AFirstFailureCostsNothing) {
  restarts_.failed("gone");
  EXPECT_EQ(restarts_.delay(), 0s);
  EXPECT_EQ(restarts_.last_error(), "gone");
}

TEST_F(RestartsTest, FurtherOnesWaitTwiceAsLongUpToTheMost) {
  restarts_.failed("1");
  for (const auto expected : {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
    restarts_.failed("again");
    EXPECT_EQ(restarts_.delay(), expected);
  }
}

TEST_F(RestartsTest, WhoeverRanSteadilyStartsAtOnce) {
  for (int i = 0; i < 5; ++i) restarts_.failed("again");
  restarts_.started();
  clock_.advance(11s);
  restarts_.failed("at last");
  EXPECT_EQ(restarts_.delay(), 0s);
  EXPECT_EQ(restarts_.total(), 6u);
}

TEST_F(RestartsTest, OneThatKeepsFailingIsGivenUpUntilSomebodyLooksAfterIt) {
  Restarts patient{{.give_up_after = 3}, clock_};
  patient.failed("1");
  patient.failed("2");
  EXPECT_FALSE(patient.given_up());
  patient.failed("3");
  EXPECT_TRUE(patient.given_up());
  patient.forgive();
  EXPECT_FALSE(patient.given_up());
  for (int i = 0; i < 9; ++i) restarts_.failed("again");
  EXPECT_FALSE(restarts_.given_up());
}

TEST_F(RestartsTest, TheWaitPassesWithTheTime) {
  restarts_.failed("1");
  restarts_.failed("2");
  clock_.advance(60ms);
  EXPECT_EQ(restarts_.delay(), 40ms);
  clock_.advance(40ms);
  EXPECT_EQ(restarts_.delay(), 0s);
}

}  // namespace
}  // namespace fairlead::gateway::restarts_test
