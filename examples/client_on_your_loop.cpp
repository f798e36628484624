// A coroutine client on your own Asio event loop: concurrent calls and timeouts.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel_driver.hpp>
#include <fairlead/client.hpp>
#include <filesystem>
#include <iostream>

using namespace fairlead;
using namespace boost::asio::experimental::awaitable_operators;

// Store arguments in variables: GCC 12 cannot compile a braced list inside a co_await.
Task<Result<void>> run_calls(Connection& demo) {
  Arguments small = {{"a", 1}, {"b", 2}};
  Arguments large = {{"a", 1000}, {"b", 2000}};
  CallOptions soon;
  soon.timeouts = session::Timeouts{.idle = std::chrono::seconds{20}, .total = std::chrono::seconds{60}};
  auto both = demo.call<int>("add", small) && demo.call<int>("add", large, soon);
  const auto [three, three_thousand] = co_await std::move(both);
  if (!three) co_return std::unexpected(three.error());
  if (!three_thousand) co_return std::unexpected(three_thousand.error());
  std::cout << demo.server().info.name << ": " << *three << ", " << *three_thousand << '\n';
  if (*three + *three_thousand != 3003) co_return fail(ErrorKind::malformed, "wrong sum");
  co_return Result<void>();
}

int main(int, char** argv) {
  boost::asio::io_context io;
  NullSink log;
  TimerWheelDriver timers(io.get_executor());
  const EventLoop loop{io.get_executor(), timers.wheel(), log};
  const Endpoint hello = {std::filesystem::path(argv[0]).replace_filename("hello").string()};

  Result<void> outcome = fail(ErrorKind::closed, "the loop ended early");
  boost::asio::co_spawn(io, with_server(loop, hello, {}, run_calls),
                        [&](std::exception_ptr, Result<void> ended) { outcome = std::move(ended); });
  io.run();
  if (outcome) return 0;
  std::cerr << outcome.error().message << '\n';
  return 1;
}
