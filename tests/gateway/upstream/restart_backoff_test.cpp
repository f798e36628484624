#include "gateway/upstream/restart_backoff.hpp"

#include <gtest/gtest.h>

namespace fairlead::gateway::restart_backoff_test {
namespace {

using namespace std::chrono_literals;

class RestartBackoffTest : public testing::Test {
 protected:
  ManualClock clock_;
  RestartBackoff backoff_{{.initial_delay = 100ms, .max_delay = 1s, .stable_after = 10s}, clock_};
};

TEST_F(RestartBackoffTest, HasNoDelayAfterTheFirstFailure) {
  backoff_.failed("gone");
  EXPECT_EQ(backoff_.delay(), 0s);
  EXPECT_EQ(backoff_.last_error(), "gone");
}

TEST_F(RestartBackoffTest, DoublesTheDelayUpToTheMaximum) {
  backoff_.failed("1");
  for (const auto expected : {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
    backoff_.failed("again");
    EXPECT_EQ(backoff_.delay(), expected);
  }
}

TEST_F(RestartBackoffTest, HasNoDelayAfterAStableRun) {
  for (int i = 0; i < 5; ++i) backoff_.failed("again");
  backoff_.started();
  clock_.advance(11s);
  backoff_.failed("at last");
  EXPECT_EQ(backoff_.delay(), 0s);
  EXPECT_EQ(backoff_.total_failures(), 6u);
}

TEST_F(RestartBackoffTest, GivesUpAfterTooManyFailuresUntilReset) {
  RestartBackoff patient{{.give_up_after = 3}, clock_};
  patient.failed("1");
  patient.failed("2");
  EXPECT_FALSE(patient.given_up());
  patient.failed("3");
  EXPECT_TRUE(patient.given_up());
  patient.reset();
  EXPECT_FALSE(patient.given_up());
  for (int i = 0; i < 9; ++i) backoff_.failed("again");
  EXPECT_FALSE(backoff_.given_up());
}

TEST_F(RestartBackoffTest, DelayShrinksWithTime) {
  backoff_.failed("1");
  backoff_.failed("2");
  clock_.advance(60ms);
  EXPECT_EQ(backoff_.delay(), 40ms);
  clock_.advance(40ms);
  EXPECT_EQ(backoff_.delay(), 0s);
}

}  // namespace
}  // namespace fairlead::gateway::restart_backoff_test
