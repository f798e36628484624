#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <memory>

namespace fairlead {

/// Turns a wheel by the real clock on somebody's loop: one Asio timer, set only while something is armed.
///
/// While anything is armed it wakes at least every 0.64 s; after the last disarm it wakes once more and then rests.
class WheelDriver {
 public:
  explicit WheelDriver(boost::asio::any_io_executor executor);
  WheelDriver(const WheelDriver&) = delete;
  WheelDriver& operator=(const WheelDriver&) = delete;
  ~WheelDriver();

  TimerWheel& wheel();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace fairlead
