#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <memory>

namespace fairlead {

/// Drives a TimerWheel by the real clock on an executor, with one Asio timer that is set only while a timer is armed.
///
/// Wakes at least every 0.64 s while a timer is armed, and once more after the last one was disarmed.
class TimerWheelDriver : NonCopyable {
 public:
  explicit TimerWheelDriver(boost::asio::any_io_executor executor);
  ~TimerWheelDriver();

  TimerWheel& wheel();

 private:
  struct DriverState;
  std::shared_ptr<DriverState> state_;
};

}  // namespace fairlead
