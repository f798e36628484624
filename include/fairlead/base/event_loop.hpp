#pragma once

#include <memory>

namespace boost::asio {
class any_io_executor;
}

namespace fairlead {

class LogSink;
class TimerWheel;

/// Handle of an event loop: its executor, its timers and a log. Copies share the executor; `timers` and `log` must
/// outlive every copy. The executor of a handle that was moved from must not be used.
struct EventLoop {
  EventLoop(const boost::asio::any_io_executor& on, TimerWheel& wheel, LogSink& sink);
  EventLoop(const EventLoop&) = default;
  EventLoop(EventLoop&&) noexcept = default;

 private:
  std::shared_ptr<const boost::asio::any_io_executor> shared_;

 public:
  const boost::asio::any_io_executor& executor;
  TimerWheel& timers;
  LogSink& log;
};

}  // namespace fairlead
