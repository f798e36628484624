#include <fairlead/base/deadline.hpp>

#include <gtest/gtest.h>

namespace fairlead::deadline_test {
namespace {

using namespace std::chrono_literals;

TEST(Deadline, PassesAtItsTime) {
  ManualClock clock;
  const auto deadline = Deadline::in(5s, clock);
  EXPECT_EQ(deadline.remaining(clock), 5s);
  clock.advance(5s - 1ns);
  EXPECT_FALSE(deadline.passed(clock));
  clock.advance(1ns);
  EXPECT_TRUE(deadline.passed(clock));
  EXPECT_EQ(deadline.remaining(clock), 0s);
}

TEST(Deadline, NeverDoesNotPass) {
  ManualClock clock;
  EXPECT_TRUE(Deadline{}.is_never());
  EXPECT_FALSE(Deadline::never().passed(clock));
  EXPECT_EQ(Deadline::never().remaining(clock), Duration::max());
}

TEST(Deadline, OverflowGivesNever) {
  ManualClock clock;
  clock.advance(1h);
  EXPECT_TRUE(Deadline::in(Duration::max(), clock).is_never());
  EXPECT_TRUE(Deadline::in(Duration::max()).is_never());
}

TEST(Deadline, NegativeDurationHasPassed) {
  ManualClock clock;
  EXPECT_TRUE(Deadline::in(-1s, clock).passed(clock));
  EXPECT_TRUE(Deadline::in(Duration::min(), clock).passed(clock));
}

TEST(Deadline, OrdersByTime) {
  ManualClock clock;
  EXPECT_LT(Deadline::in(1s, clock), Deadline::in(2s, clock));
  EXPECT_LT(Deadline::in(1s, clock), Deadline::never());
}

TEST(Deadline, UsesTheRealClockByDefault) {
  const auto deadline = Deadline::in(1h);
  EXPECT_FALSE(deadline.passed());
  EXPECT_LE(deadline.remaining(), 1h);
}

TEST(IdleDeadline, ExtendRestartsIt) {
  ManualClock clock;
  IdleDeadline deadline(10s, 1min, clock);
  clock.advance(9s);
  deadline.extend();
  clock.advance(9s);
  EXPECT_FALSE(deadline.current().passed(clock));
  clock.advance(1s);
  EXPECT_TRUE(deadline.current().passed(clock));
}

TEST(IdleDeadline, IsLimitedByTheCap) {
  ManualClock clock;
  IdleDeadline deadline(10s, 25s, clock);
  for (int i = 0; i < 5; ++i) {
    clock.advance(5s);
    deadline.extend();
  }
  EXPECT_EQ(deadline.current(), deadline.cap());
  EXPECT_TRUE(deadline.current().passed(clock));
}

TEST(IdleDeadline, StartsAtTheCapIfThatIsEarlier) {
  ManualClock clock;
  const IdleDeadline deadline(10s, 3s, clock);
  EXPECT_EQ(deadline.current().remaining(clock), 3s);
}

}  // namespace
}  // namespace fairlead::deadline_test
