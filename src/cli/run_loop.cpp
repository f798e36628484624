#include "cli/run_loop.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <fairlead/base/timer_wheel_driver.hpp>

namespace fairlead::cli {
namespace {

Task<void> store_result(Task<int> task, int* code) {
  *code = co_await std::move(task);
}

}  // namespace

int run_loop(LogSink& log, const std::function<Task<int>(EventLoop)>& work) {
  boost::asio::io_context io(1);
  TimerWheelDriver timers(io.get_executor());
  int code = 0;
  std::exception_ptr thrown;
  auto task = work(EventLoop{io.get_executor(), timers.wheel(), log});
  boost::asio::co_spawn(io, store_result(std::move(task), &code), [&](std::exception_ptr e) { thrown = std::move(e); });
  io.run();
  if (thrown) std::rethrow_exception(thrown);
  return code;
}

}  // namespace fairlead::cli
