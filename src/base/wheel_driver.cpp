#include <fairlead/base/wheel_driver.hpp>

#include <boost/asio/steady_timer.hpp>
#include <utility>

namespace fairlead {

struct WheelDriver::State : std::enable_shared_from_this<State> {
  explicit State(const boost::asio::any_io_executor& executor)
      : alarm(executor), wheel(real_clock(), [this](TimePoint at) { wake_at(at); }) {}

  void wake_at(TimePoint at) {
    alarm.expires_at(at);
    // Weak: the handler may already be queued when the driver goes.
    alarm.async_wait([weak = weak_from_this()](boost::system::error_code error) {
      const auto state = weak.lock();
      if (state && !error) state->wheel.advance();
    });
  }

  boost::asio::steady_timer alarm;
  TimerWheel wheel;
};

WheelDriver::WheelDriver(boost::asio::any_io_executor executor)
    : state_(std::make_shared<State>(std::move(executor))) {}

WheelDriver::~WheelDriver() {
  state_->alarm.cancel();
}

TimerWheel& WheelDriver::wheel() {
  return state_->wheel;
}

}  // namespace fairlead
