// A client made of coroutines on an Asio loop of your own: several calls at once, progress, and a time limit.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/wheel_driver.hpp>
#include <fairlead/client.hpp>
#include <filesystem>
#include <iostream>

using namespace fairlead;
using namespace boost::asio::experimental::awaitable_operators;

// Name arguments before you await: GCC 12 cannot compile a braced list inside a co_await.
Task<Result<void>> converse(Connection& demo) {
  Arguments small = {{"a", 1}, {"b", 2}};
  Arguments large = {{"a", 1000}, {"b", 2000}};
  CallOptions soon;
  soon.patience = session::Patience{.idle = std::chrono::seconds{20}, .cap = std::chrono::seconds{60}};
  auto both = demo.call<int>("add", small) && demo.call<int>("add", large, soon);
  const auto [three, three_thousand] = co_await std::move(both);
  if (!three) co_return std::unexpected(three.error());
  if (!three_thousand) co_return std::unexpected(three_thousand.error());
  std::cout << demo.server().info.name << ": " << *three << ", " << *three_thousand << '\n';
  if (*three + *three_thousand != 3003) co_return fail(ErrorKind::malformed, "it cannot add");
  co_return Result<void>();
}

int main(int, char** argv) {
  boost::asio::io_context io;
  NullSink log;
  WheelDriver timers(io.get_executor());
  const Loop loop{io.get_executor(), timers.wheel(), log};
  const Endpoint hello = {std::filesystem::path(argv[0]).replace_filename("hello").string()};

  Result<void> outcome = fail(ErrorKind::closed, "the loop ended early");
  boost::asio::co_spawn(io, with_server(loop, hello, {}, converse),
                        [&](std::exception_ptr, Result<void> ended) { outcome = std::move(ended); });
  io.run();
  if (outcome) return 0;
  std::cerr << outcome.error().message << '\n';
  return 1;
}
