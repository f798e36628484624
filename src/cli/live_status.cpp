#include "cli/live_status.hpp"

#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/json/codec.hpp>

#include "cli/commands.hpp"
#include "cli/credentials.hpp"
#include "cli/output.hpp"
#include "cli/run_loop.hpp"

namespace fairlead::cli {
namespace {

constexpr Duration refresh_interval = std::chrono::seconds{1};

/// Prints reports as they arrive.
class LiveStatusView {
 public:
  explicit LiveStatusView(const LiveStatusOptions& flags) : flags_(flags) {}

  /// Returns false when stdout is closed.
  bool show_report(const gateway::GatewayReport& report) {
    const auto now = screen();
    if (flags_.watch && now.is_terminal && !flags_.json) return print(full_redraw(report, now)) == exit_code::done;
    // Not on a terminal: print only changes.
    auto servers = json::encode(report.servers);
    if (servers == last_) return true;
    const bool first = last_.empty();
    last_ = std::move(servers);
    const auto text = flags_.json ? json::encode(report) + "\n" : (first ? "" : "\n") + to_text(report, now);
    return print(text) == exit_code::done;
  }

 private:
  // Redraws from the top over the old text, which avoids flicker.
  static std::string full_redraw(const gateway::GatewayReport& report, const Screen& now) {
    std::string text = "\x1b[H";
    std::size_t row = 1;
    for (const char c : to_text(report, now)) {
      if (c == '\n' && now.rows != 0 && row++ >= now.rows) break;
      text += c == '\n' ? "\x1b[K\n" : std::string(1, c);
    }
    return text + "\x1b[J";
  }

  const LiveStatusOptions& flags_;
  std::string last_;
};

Task<Result<void>> watch_gateway(client::Connection& running, EventLoop loop, const LiveStatusOptions* flags) {
  LiveStatusView view(*flags);
  const auto store = user_store();
  while (true) {
    auto report = co_await running.call<gateway::GatewayReport>("status");
    if (!report) co_return std::unexpected(report.error());
    const auto logins = co_await store->list();
    for (auto& server : report->servers) {
      if (logins) server.login = login_line(*logins, server.address);
    }
    if (!view.show_report(*report) || !flags->watch) co_return Result<void>();
    boost::asio::steady_timer pause(loop.executor, refresh_interval);
    co_await pause.async_wait(use_task);
  }
}

Task<int> connect_and_watch(EventLoop loop, std::string path, const LiveStatusOptions* flags) {
  bool reached = false;
  std::function<Task<Result<void>>(client::Connection&)> body = [&](client::Connection& running) {
    reached = true;
    return watch_gateway(running, loop, flags);
  };
  const auto outcome =
      co_await client::with_server(loop, control_endpoint(path), control_client_options(), std::move(body));
  if (outcome) co_return exit_code::done;
  const bool ended = reached && gateway_has_stopped(outcome.error());
  if (!ended) co_return report_control_error("ls", {.kind = ErrorKind::closed, .message = outcome.error().message});
  co_return report_error("ls", "the gateway has stopped", exit_code::failed);
}

}  // namespace

int show_live_status(const LiveStatusOptions& flags) {
  const auto path = find_control_socket(flags.gateway);
  if (!path) return report_control_error("ls", path.error());
  StderrSink log(LogLevel::warning, LogTime::none);
  return run_loop(log, [&](EventLoop loop) { return connect_and_watch(std::move(loop), *path, &flags); });
}

}  // namespace fairlead::cli
