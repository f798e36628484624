#include "cli/run_loop.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <fairlead/base/wheel_driver.hpp>

namespace fairlead::cli {
namespace {

Task<void> keep(Task<int> task, int* code) {
  *code = co_await std::move(task);
}

}  // namespace

int run_loop(LogSink& log, const std::function<Task<int>(Loop)>& work) {
  boost::asio::io_context io(1);
  WheelDriver timers(io.get_executor());
  int code = 0;
  std::exception_ptr thrown;
  auto task = work(Loop{io.get_executor(), timers.wheel(), log});
  boost::asio::co_spawn(io, keep(std::move(task), &code), [&](std::exception_ptr e) { thrown = std::move(e); });
  io.run();
  if (thrown) std::rethrow_exception(thrown);
  return code;
}

}  // namespace fairlead::cli
