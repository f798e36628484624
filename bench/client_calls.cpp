// usage: client_calls <url> <seconds> <in flight>: calls per second of our client, as JSON.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel_driver.hpp>
#include <fairlead/client.hpp>

#include "load/latency_histogram.hpp"
#include "load/load_connection.hpp"

namespace {

using namespace fairlead;
namespace asio = boost::asio;

struct Calls {
  double seconds = 1;
  int in_flight = 1;
  std::uint64_t begin = 0;
  load::LatencyHistogram latency = {};

  bool over() const { return static_cast<double>(load::nanoseconds_now() - begin) >= seconds * 1e9; }
};

Task<void> call_until_the_end(Connection& server, Calls& calls) {
  while (!calls.over()) {
    const auto began = load::nanoseconds_now();
    Arguments arguments = {{"text", "hello"}};
    const auto result = co_await server.call<std::string>("echo", std::move(arguments));
    if (!result || *result != "hello") co_return;
    calls.latency.record(load::nanoseconds_now() - began);
  }
}

Task<Result<void>> call_at_once(Connection& server, Calls& calls) {
  const auto executor = co_await this_task::executor;
  asio::steady_timer all_done(executor, asio::steady_timer::time_point::max());
  int left = calls.in_flight;
  calls.begin = load::nanoseconds_now();
  for (int i = 0; i < calls.in_flight; ++i) {
    async_start(executor, call_until_the_end(server, calls), [&](const std::exception_ptr&) {
      if (--left == 0) all_done.cancel();
    });
  }
  co_await all_done.async_wait(asio::as_tuple(use_task));
  co_return Result<void>();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fputs("usage: client_calls <url> <seconds> <in flight>\n", stderr), 2;
  Calls calls{.seconds = std::atof(argv[2]), .in_flight = std::atoi(argv[3])};
  asio::io_context io;
  NullSink log;
  TimerWheelDriver timers(io.get_executor());
  const EventLoop loop{io.get_executor(), timers.wheel(), log};
  client::ClientOptions options;
  options.era = client::EraPreference::handshake;
  Result<void> outcome = fail(ErrorKind::closed, "the loop ended early");
  const auto work = [&calls](Connection& server) { return call_at_once(server, calls); };
  async_start(io, with_server(loop, Endpoint(std::string(argv[1])), options, work),
              [&](const std::exception_ptr&, Result<void> ended) { outcome = std::move(ended); });
  io.run();
  if (!outcome) return std::fprintf(stderr, "%s\n", outcome.error().message.c_str()), 1;
  const auto count = static_cast<double>(calls.latency.count());
  std::printf("{\"calls_per_second\":%.1f,\"p50_us\":%.1f,\"p99_us\":%.1f}\n", count / calls.seconds,
              static_cast<double>(calls.latency.at(0.5)) / 1000, static_cast<double>(calls.latency.at(0.99)) / 1000);
}
