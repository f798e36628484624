#include <fairlead/base/task_context.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <cstdio>
#include <cstdlib>
#include <fairlead/base/task.hpp>

namespace fairlead {

void TaskContext::throw_stopped() {
  throw boost::system::system_error(boost::asio::error::operation_aborted, "co_await");
}

void detail::abort_empty_task() {
  std::fputs("fairlead: a task was awaited or started twice, or after it was moved from\n", stderr);
  std::abort();
}

}  // namespace fairlead
