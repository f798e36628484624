#include "cli/run_loop.hpp"

#include <boost/asio/io_context.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/debug_options.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel_driver.hpp>

namespace fairlead::cli {
namespace {

Task<void> store_result(Task<int> task, int* code) {
  *code = co_await std::move(task);
}

Task<int> run_in_scope(EventLoop loop, std::size_t count, std::function<Task<void>(EventLoop, std::size_t)> work) {
  TaskScope tasks(loop.executor, loop.log, "fairlead");
  for (std::size_t index = 0; index < count; ++index) tasks.spawn(work(loop, index));
  co_await tasks.join();
  co_return 0;
}

}  // namespace

int run_loop(LogSink& log, const std::function<Task<int>(EventLoop)>& work) {
  boost::asio::io_context io(1);
  TimerWheelDriver timers(io.get_executor());
  int code = 0;
  std::exception_ptr thrown;
  auto task = work(EventLoop{io.get_executor(), timers.wheel(), log});
  async_start(io, store_result(std::move(task), &code), [&](std::exception_ptr e) { thrown = std::move(e); });
  io.run();
  if (thrown) std::rethrow_exception(thrown);
  return code;
}

void run_for_each(std::size_t count, const std::function<Task<void>(EventLoop, std::size_t)>& work) {
  ProgramLog log({}, LogLevel::error);
  run_loop(log, [&](EventLoop loop) { return run_in_scope(loop, count, work); });
}

}  // namespace fairlead::cli
