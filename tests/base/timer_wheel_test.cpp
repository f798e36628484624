#include <fairlead/base/timer_wheel.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace fairlead::timer_wheel_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class TimerWheelTest : public testing::Test {
 protected:
  void advance(Duration step) {
    clock_.advance(step);
    wheel_.advance();
  }
  Deadline in(Duration duration) { return Deadline::in(duration, clock_); }

  ManualClock clock_;
  TimerWheel wheel_{clock_};
  int fired_ = 0;
  std::function<void()> count_ = [this] { ++fired_; };
};

TEST_F(TimerWheelTest, FiresAtTheTickAndNotBefore) {
  Timer timer(wheel_, count_);
  timer.arm(in(50ms));
  advance(50ms - 1ns);
  EXPECT_EQ(fired_, 0);
  advance(1ns);
  EXPECT_EQ(fired_, 1);
  EXPECT_FALSE(timer.armed());
}

TEST_F(TimerWheelTest, RoundsUpToTheNextTick) {
  Timer timer(wheel_, count_);
  timer.arm(in(51ms));
  advance(51ms);
  EXPECT_EQ(fired_, 0);
  advance(9ms);
  EXPECT_EQ(fired_, 1);
}

TEST_F(TimerWheelTest, FiresOnce) {
  Timer timer(wheel_, count_);
  timer.arm(in(10ms));
  advance(1s);
  advance(1s);
  EXPECT_EQ(fired_, 1);
}

TEST_F(TimerWheelTest, APassedDeadlineFiresAtTheNextTick) {
  advance(1s);
  Timer timer(wheel_, count_);
  timer.arm(Deadline::at(TimePoint{}));
  wheel_.advance();
  EXPECT_EQ(fired_, 0);
  advance(10ms);
  EXPECT_EQ(fired_, 1);
}

TEST_F(TimerWheelTest, ADisarmedTimerDoesNotFire) {
  Timer timer(wheel_, count_);
  timer.arm(in(10ms));
  timer.disarm();
  timer.disarm();
  advance(1s);
  EXPECT_EQ(fired_, 0);
  EXPECT_EQ(wheel_.armed(), 0u);
}

TEST_F(TimerWheelTest, ADestroyedTimerDoesNotFire) {
  std::optional<Timer> timer(std::in_place, wheel_, count_);
  timer->arm(in(10ms));
  timer.reset();
  advance(1s);
  EXPECT_EQ(fired_, 0);
}

TEST_F(TimerWheelTest, RearmingReplacesTheDeadline) {
  Timer timer(wheel_, count_);
  timer.arm(in(10ms));
  timer.arm(in(2s));
  advance(1s);
  EXPECT_EQ(fired_, 0);
  advance(1s);
  EXPECT_EQ(fired_, 1);
}

TEST_F(TimerWheelTest, NeverDisarms) {
  Timer timer(wheel_, count_);
  timer.arm(in(10ms));
  timer.arm(Deadline::never());
  EXPECT_FALSE(timer.armed());
  EXPECT_EQ(wheel_.armed(), 0u);
}

TEST_F(TimerWheelTest, FiresLongTimersAtTheExactTick) {
  for (const Duration duration : {Duration{640ms}, Duration{41s}, Duration{44min}, Duration{46h}, Duration{1000h}}) {
    ManualClock clock;
    TimerWheel wheel{clock};
    bool fired = false;
    Timer timer(wheel, [&] { fired = true; });
    clock.advance(130ms);
    timer.arm(Deadline::in(duration, clock));
    clock.advance(duration - 1ns);
    wheel.advance();
    EXPECT_FALSE(fired) << duration.count();
    clock.advance(1ns);
    wheel.advance();
    EXPECT_TRUE(fired) << duration.count();
  }
}

TEST_F(TimerWheelTest, FiresInOrderOfDeadlines) {
  std::vector<int> order;
  Timer late(wheel_, [&] { order.push_back(3); }), early(wheel_, [&] { order.push_back(1); }),
      middle(wheel_, [&] { order.push_back(2); });
  late.arm(in(5min));
  early.arm(in(20ms));
  middle.arm(in(10s));
  advance(1h);
  EXPECT_THAT(order, ElementsAre(1, 2, 3));
}

TEST_F(TimerWheelTest, ACallbackMayArmItsOwnTimerAgain) {
  std::optional<Timer> timer;
  timer.emplace(wheel_, [&] {
    if (++fired_ < 3) timer->arm(in(0ms));
  });
  timer->arm(in(10ms));
  advance(1s);
  // The clock is already at one second, so the second timer fires at the next tick.
  EXPECT_GE(fired_, 1);
  advance(1s);
  advance(1s);
  EXPECT_EQ(fired_, 3);
}

TEST_F(TimerWheelTest, ACallbackMayDestroyItsOwnTimerAndDisarmOthers) {
  auto self = std::make_unique<Timer>(wheel_, count_);
  Timer other(wheel_, count_);
  self = std::make_unique<Timer>(wheel_, [&, name = std::string(64, 'x')] {
    self.reset();
    other.disarm();
    fired_ += static_cast<int>(name.size());
  });
  self->arm(in(10ms));
  other.arm(in(10ms));
  advance(10ms);
  EXPECT_EQ(fired_, 64);
}

TEST_F(TimerWheelTest, ATimerMayOutliveItsWheel) {
  auto wheel = std::make_unique<TimerWheel>(clock_);
  Timer timer(*wheel, count_);
  timer.arm(in(10ms));
  wheel.reset();
  EXPECT_FALSE(timer.armed());
}

TEST_F(TimerWheelTest, AnExceptionKeepsTheOtherTimersDue) {
  Timer bad(wheel_, [] { throw std::runtime_error("bad"); });
  Timer good(wheel_, count_);
  bad.arm(in(10ms));
  good.arm(in(10ms));
  EXPECT_THROW(advance(10ms), std::runtime_error);
  wheel_.advance();
  EXPECT_EQ(fired_, 1);
}

TEST_F(TimerWheelTest, FiresAHundredThousandTimersAtTheExactTick) {
  constexpr int count = 100'000;
  std::mt19937 random(7);
  std::uniform_int_distribution<int> milliseconds(1, 120'000);
  std::vector<std::unique_ptr<Timer>> timers;
  std::vector<Deadline> deadlines;
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    deadlines.push_back(in(std::chrono::milliseconds(milliseconds(random))));
    timers.push_back(std::make_unique<Timer>(wheel_, [&, i] {
      const auto late = clock_.now() - deadlines[static_cast<std::size_t>(i)].when();
      wrong += late < 0ms || late >= TimerWheel::tick ? 1 : 0;
      ++fired_;
    }));
    timers.back()->arm(deadlines.back());
  }
  for (int i = 0; i < count; i += 2) timers[static_cast<std::size_t>(i)]->disarm();
  for (int i = 0; i < 12'000; ++i) advance(10ms);
  EXPECT_EQ(fired_, count / 2);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(wheel_.armed(), 0u);
}

TEST_F(TimerWheelTest, RequestsAWakeOnlyWhenItIsEarlier) {
  std::vector<Duration> wake_times;
  TimerWheel wheel(clock_, [&](TimePoint at) { wake_times.push_back(at - TimePoint{}); });
  Timer first(wheel, count_), later(wheel, count_), sooner(wheel, count_);
  first.arm(in(100ms));
  later.arm(in(200ms));
  sooner.arm(in(50ms));
  EXPECT_THAT(wake_times, ElementsAre(100ms, 50ms));
}

TEST_F(TimerWheelTest, RequestsNoWakeWhileNothingIsArmed) {
  std::vector<Duration> wake_times;
  TimerWheel wheel(clock_, [&](TimePoint at) { wake_times.push_back(at - TimePoint{}); });
  Timer timer(wheel, count_);
  timer.arm(in(100ms));
  timer.disarm();
  clock_.advance(100ms);
  wheel.advance();
  EXPECT_THAT(wake_times, ElementsAre(100ms));
}

TEST_F(TimerWheelTest, ReachesAFarDeadlineByItsOwnWakes) {
  std::optional<TimePoint> next;
  TimerWheel wheel(clock_, [&](TimePoint at) { next = at; });
  Timer timer(wheel, count_);
  timer.arm(in(1min));
  int wakes = 0;
  while (next) {
    clock_.advance(*std::exchange(next, std::nullopt) - clock_.now());
    wheel.advance();
    ++wakes;
  }
  EXPECT_EQ(fired_, 1);
  EXPECT_EQ(clock_.now() - TimePoint{}, 1min);
  EXPECT_LE(wakes, 60'000 / 640 + 2);
}

}  // namespace
}  // namespace fairlead::timer_wheel_test
