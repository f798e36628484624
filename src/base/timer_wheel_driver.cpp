#include <fairlead/base/timer_wheel_driver.hpp>

#include <boost/asio/steady_timer.hpp>
#include <utility>

namespace fairlead {

struct TimerWheelDriver::DriverState : std::enable_shared_from_this<DriverState> {
  explicit DriverState(const boost::asio::any_io_executor& executor)
      : alarm(executor), wheel(real_clock(), [this](TimePoint at) { wake_at(at); }) {}

  void wake_at(TimePoint at) {
    alarm.expires_at(at);
    // Weak: the handler may already be queued when the driver is destroyed.
    alarm.async_wait([weak = weak_from_this()](boost::system::error_code error) {
      const auto state = weak.lock();
      if (state && !error) state->wheel.advance();
    });
  }

  boost::asio::steady_timer alarm;
  TimerWheel wheel;
};

TimerWheelDriver::TimerWheelDriver(boost::asio::any_io_executor executor)
    : state_(std::make_shared<DriverState>(std::move(executor))) {}

TimerWheelDriver::~TimerWheelDriver() {
  state_->alarm.cancel();
}

TimerWheel& TimerWheelDriver::wheel() {
  return state_->wheel;
}

}  // namespace fairlead
