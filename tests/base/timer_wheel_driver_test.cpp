#include <fairlead/base/timer_wheel_driver.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gtest/gtest.h>
#include <optional>

namespace fairlead::timer_wheel_driver_test {
namespace {

using namespace std::chrono_literals;

TEST(TimerWheelDriver, FiresOnTheLoopAndLetsItEnd) {
  boost::asio::io_context loop{1};
  TimerWheelDriver driver{loop.get_executor()};
  const auto deadline = Deadline::in(20ms);
  bool fired = false, in_time = false;
  Timer timer(driver.wheel(), [&] {
    fired = true;
    in_time = deadline.passed();
  });
  timer.arm(deadline);
  loop.run();
  EXPECT_TRUE(fired);
  EXPECT_TRUE(in_time);
}

TEST(TimerWheelDriver, DoesNotWakeWhileNothingIsArmed) {
  boost::asio::io_context loop{1};
  TimerWheelDriver driver{loop.get_executor()};
  EXPECT_EQ(loop.run(), 0u);
}

TEST(TimerWheelDriver, MayBeDestroyedBeforeItsLoop) {
  boost::asio::io_context loop{1};
  auto driver = std::make_optional<TimerWheelDriver>(loop.get_executor());
  Timer timer(driver->wheel(), [] { FAIL(); });
  timer.arm(Deadline::in(1h));
  boost::asio::post(loop, [&] { driver.reset(); });
  loop.run();
  EXPECT_FALSE(timer.armed());
}

}  // namespace
}  // namespace fairlead::timer_wheel_driver_test
