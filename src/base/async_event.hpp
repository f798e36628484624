#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>

namespace fairlead {

/// Wakes all coroutines that wait for a condition to change. Spurious wakeups happen: check the condition in a loop.
class AsyncEvent {
 public:
  explicit AsyncEvent(const boost::asio::any_io_executor& executor)
      : timer_(executor, boost::asio::steady_timer::time_point::max()) {}

  /// A cancelled caller is woken too, and ends at its next `co_await`.
  auto wait() { return timer_.async_wait(boost::asio::as_tuple(use_task)); }
  void notify() { timer_.cancel(); }

 private:
  boost::asio::steady_timer timer_;
};

}  // namespace fairlead
