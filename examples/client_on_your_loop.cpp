// A coroutine client on your own Asio event loop: concurrent calls and timeouts.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel_driver.hpp>
#include <fairlead/client.hpp>
#include <filesystem>
#include <iostream>

namespace asio = boost::asio;
using namespace fairlead;
using namespace boost::asio::experimental::awaitable_operators;

// Store arguments in variables: GCC 12 cannot compile a braced list inside a co_await.
asio::awaitable<Result<void>> run_calls(Connection& demo) {
  const auto loop = co_await asio::this_coro::executor;
  Arguments small = {{"a", 1}, {"b", 2}};
  Arguments large = {{"a", 1000}, {"b", 2000}};
  CallOptions soon;
  soon.timeouts = session::Timeouts{.idle = std::chrono::seconds{20}, .total = std::chrono::seconds{60}};
  auto first = async_start(loop, demo.call<int>("add", small), asio::use_awaitable);
  auto second = async_start(loop, demo.call<int>("add", large, soon), asio::use_awaitable);
  const auto [three, three_thousand] = co_await (std::move(first) && std::move(second));
  if (!three) co_return std::unexpected(three.error());
  if (!three_thousand) co_return std::unexpected(three_thousand.error());
  std::cout << demo.server().info.name << ": " << *three << ", " << *three_thousand << '\n';
  if (*three + *three_thousand != 3003) co_return fail(ErrorKind::malformed, "wrong sum");
  co_return Result<void>();
}

// Tasks of the library await Asio's coroutines, and these await tasks.
Task<Result<void>> run_yours(Connection& demo) {
  co_return co_await asio::co_spawn(co_await this_task::executor, run_calls(demo), use_task);
}

int main(int, char** argv) {
  asio::io_context io;
  NullSink log;
  TimerWheelDriver timers(io.get_executor());
  const EventLoop loop{io.get_executor(), timers.wheel(), log};
  const Endpoint hello = {std::filesystem::path(argv[0]).replace_filename("hello").string()};

  Result<void> outcome = fail(ErrorKind::closed, "the loop ended early");
  async_start(io, with_server(loop, hello, {}, run_yours),
              [&](std::exception_ptr, Result<void> ended) { outcome = std::move(ended); });
  io.run();
  if (outcome) return 0;
  std::cerr << outcome.error().message << '\n';
  return 1;
}
