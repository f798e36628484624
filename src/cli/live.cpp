#include "cli/live.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>
#include <utility>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/run_loop.hpp"

namespace fairlead::cli {
namespace {

constexpr Duration between_looks = std::chrono::seconds{1};

/// Shows reports as they come.
class LiveView {
 public:
  explicit LiveView(const LiveWords& words) : words_(words) {}

  /// Whether anybody still reads them.
  bool show_next(const gateway::GatewayReport& report) {
    const auto now = screen();
    if (words_.watch && now.is_terminal && !words_.json) return print(drawn(report, now)) == exit_code::done;
    // What nobody looks at while it happens is told when it changes.
    auto servers = json::encode(report.servers);
    if (servers == last_) return true;
    const bool first = last_.empty();
    last_ = std::move(servers);
    const auto text = words_.json ? json::encode(report) + "\n" : (first ? "" : "\n") + show(report, now);
    return print(text) == exit_code::done;
  }

 private:
  // From the top, over what was there: nothing flickers.
  static std::string drawn(const gateway::GatewayReport& report, const Screen& now) {
    std::string text = "\x1b[H";
    std::size_t row = 1;
    for (const char c : show(report, now)) {
      if (c == '\n' && now.rows != 0 && row++ >= now.rows) break;
      text += c == '\n' ? "\x1b[K\n" : std::string(1, c);
    }
    return text + "\x1b[J";
  }

  const LiveWords& words_;
  std::string last_;
};

Task<Result<void>> watch_gateway(client::Connection& running, Loop loop, const LiveWords* words) {
  LiveView view(*words);
  while (true) {
    const auto report = co_await running.call<gateway::GatewayReport>("status");
    if (!report) co_return std::unexpected(report.error());
    if (!view.show_next(*report) || !words->watch) co_return Result<void>();
    boost::asio::steady_timer pause(loop.executor, between_looks);
    co_await pause.async_wait(boost::asio::use_awaitable);
  }
}

Task<int> reach_gateway(Loop loop, std::string path, const LiveWords* words) {
  bool reached = false;
  std::function<Task<Result<void>>(client::Connection&)> body = [&](client::Connection& running) {
    reached = true;
    return watch_gateway(running, loop, words);
  };
  const auto outcome = co_await client::with_server(loop, control_endpoint(path), control_client(), std::move(body));
  if (outcome) co_return exit_code::done;
  const bool ended = reached && has_ended(outcome.error());
  if (!ended) co_return control_failed("ls", {.kind = ErrorKind::closed, .message = outcome.error().message});
  complain("fairlead ls: the gateway has ended");
  co_return exit_code::failed;
}

}  // namespace

int show_live(const LiveWords& words) {
  const auto path = find_control(words.gateway);
  if (!path) return control_failed("ls", path.error());
  StderrSink log(LogLevel::warning, LogTime::none);
  return run_loop(log, [&](Loop loop) { return reach_gateway(std::move(loop), *path, &words); });
}

}  // namespace fairlead::cli
