#include "demo/async_sleep.hpp"

#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>

namespace fairlead::demo {

Task<void> async_sleep(std::chrono::milliseconds duration) {
  boost::asio::steady_timer timer(co_await this_task::executor, duration);
  co_await timer.async_wait(use_task);
}

}  // namespace fairlead::demo
