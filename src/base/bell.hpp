#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/task.hpp>

namespace fairlead {

/// Wakes whoever waits for something to change. They look again themselves, in a loop: it may ring for nothing.
class Bell {
 public:
  explicit Bell(boost::asio::any_io_executor executor)
      : timer_(std::move(executor), boost::asio::steady_timer::time_point::max()) {}

  /// A caller that is cancelled is woken too, and ends at its next `co_await`.
  auto wait() { return timer_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable)); }
  void ring() { timer_.cancel(); }

 private:
  boost::asio::steady_timer timer_;
};

}  // namespace fairlead
