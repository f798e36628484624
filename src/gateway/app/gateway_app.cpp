#include "gateway/app/gateway_app.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <fairlead/auth/api_keys.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel_driver.hpp>
#include <memory>
#include <utility>

#include "base/async_event.hpp"
#include "config/file_watch.hpp"
#include "gateway/app/client_listeners.hpp"
#include "gateway/app/listen_options.hpp"
#include "gateway/app/reachable_url.hpp"
#include "gateway/app/user_sign_in.hpp"
#include "gateway/config/diff.hpp"
#include "gateway/control/control_server.hpp"
#include "gateway/control/server_reports.hpp"
#include "gateway/gateway.hpp"
#include "gateway/model/config_secrets.hpp"

namespace fairlead::gateway {
namespace {

namespace asio = boost::asio;

// After a stop signal, calls may run for call_drain_timeout; those left are answered with an error. Connections are
// closed after connection_drain_timeout.
constexpr Duration call_drain_timeout = std::chrono::seconds{4};
constexpr Duration connection_drain_timeout = std::chrono::seconds{5};

// With exit_if_server_dies, on_listening is delayed until the servers have started, at most this long.
constexpr Duration max_report_delay = std::chrono::seconds{10};

/// The changes of a reload, for the log.
std::string change_summary(const Difference& change) {
  if (change.none()) return ": no changes";
  std::string text;
  const auto add = [&](const char* what, const std::vector<std::string>& names) {
    for (const auto& name : names) text += (text.empty() ? ": " : ", ") + std::string(what) + " " + name;
  };
  add("added", change.added);
  add("changed", change.changed);
  add("removed", change.removed);
  return text;
}

/// The gateway with its listeners, signals and reloads. All on one event loop and thread.
class App {
 public:
  App(AppOptions options, LogSink& log, Redactor& redactor)
      : options_(std::move(options)),
        log_(log),
        redactor_(redactor),
        loop_{io_.get_executor(), timers_.wheel(), log},
        gateway_(loop_, options_.registry, options_.credentials),
        listeners_(loop_, gateway_),
        end_calls_timer_(timers_.wheel(), [this] { gateway_.abort_calls(); }),
        report_timer_(timers_.wheel(), [this] { report_listening(); }),
        stop_event_(loop_.executor),
        stop_signals_(io_, SIGINT, SIGTERM),
        reload_signals_(io_, SIGHUP) {}

  /// Runs until stopped. Returns the error of a failed start.
  Result<void> run() {
    Result<void> outcome;
    async_start(io_, run_until_stopped(), [&](const std::exception_ptr& failure, Result<void> ended) {
      outcome = std::move(ended);
      io_.stop();
      if (failure) std::rethrow_exception(failure);
    });
    io_.run();
    return outcome;
  }

 private:
  Task<Result<void>> run_until_stopped() {
    redact_secrets(options_.config);
    warn_if_no_servers();
    // Open the port first: if it fails, no server is started.
    auto outcome = listeners_.open(options_.config);
    if (outcome) configure_sign_in_pages();
    if (outcome) outcome = gateway_.apply(options_.config);
    if (outcome) {
      open_control();
      schedule_report();
      watch_signals();
      co_await with_scope(log_, "fairlead", [this](TaskScope& tasks) { return serve_all(tasks); });
      outcome = std::move(startup_result_);
    }
    co_await close_all();
    co_await gateway_.stop();
    co_return outcome;
  }

  void configure_sign_in_pages() {
    const auto& listen = options_.config.listen;
    if (!listen.http) return;
    SignInPageOptions pages{.url = reachable_url(listeners_.url(), listen) + listen.base_path};
    if (const auto keys = key_check(listen); keys && *keys) {
      pages.principal_of = [check = *keys](std::string_view key) { return check->principal_of(key); };
    }
    if (const auto check = listeners_.oauth_check()) pages.verify_user = verify_by_sign_in(options_.config, check);
    gateway_.sign_in_pages().configure(std::move(pages));
  }

  void warn_if_no_servers() {
    const auto& servers = options_.config.servers;
    if (!options_.warn_without_servers || !std::ranges::all_of(servers, &ServerConfig::disabled)) return;
    log(log_, LogLevel::warning, "fairlead", [&] {
      return std::string(servers.empty() ? "no server is configured" : "all configured servers are disabled") +
             ": clients will find no tools; add one under servers, or with fairlead add";
    });
  }

  void redact_secrets(const GatewayConfig& config) {
    for (const auto& secret : secrets_in_logs(config)) redactor_.add_secret(secret);
  }

  void schedule_report() {
    if (options_.exit_if_server_dies) {
      report_timer_.arm(Deadline::in(max_report_delay, loop_.timers.clock()));
    } else {
      report_listening();
    }
  }

  void report_listening() {
    if (stopping_ || std::exchange(listening_reported_, true) || !options_.on_listening) return;
    options_.on_listening(listeners_.url());
  }

  // Calls are served meanwhile. Stops the gateway only if a server exited, not if it is slow.
  Task<void> wait_for_servers() {
    auto reached = co_await gateway_.connect_all();
    report_timer_.disarm();
    if (stopping_) co_return;
    const auto known = reached ? nullptr : reached.error().diagnosis;
    const bool is_dead = known && (known->status || known->signal || known->step == "start");
    if (is_dead) {
      startup_result_ = std::move(reached);
      request_stop();
    } else {
      report_listening();
    }
  }

  // A failure is only logged: the gateway works without a control socket.
  void open_control() {
    const auto& config = options_.config;
    if (config.control == "off") return;
    ControlSources view{.servers = [this] { return server_reports(gateway_.status(), gateway_.call_metrics()); },
                        .tap = gateway_.tap()};
    if (const auto url = listeners_.url(); !url.empty()) {
      view.listens.push_back(url + config.listen.base_path + config.listen.paths.mcp);
    }
    if (listeners_.has_socket()) view.listens.push_back("unix:" + config.listen.unix_socket);
    if (config.listen.stdio) view.listens.emplace_back("stdio");
    control_ = std::make_unique<ControlServer>(loop_, std::move(view));
    const auto opened = control_->listen(config.control);
    if (opened) return;
    control_.reset();
    log(log_, LogLevel::warning, "fairlead",
        [&] { return "no control socket, so that fairlead tap and ls --live do not work: " + opened.error().message; });
  }

  Task<void> serve_all(TaskScope& tasks) {
    if (options_.exit_if_server_dies) tasks.spawn(wait_for_servers());
    if (options_.config.listen.stdio) listeners_.serve_stdio([this] { request_stop(); });
    if (listeners_.has_socket()) tasks.spawn(listeners_.accept_all());
    if (control_) tasks.spawn(control_->serve(tasks));
    if (options_.reload && !options_.watched_files.empty()) tasks.spawn(watch_files());
    while (!stopping_) co_await stop_event_.wait();
    tasks.cancel();
  }

  Task<void> watch_files() {
    const auto watch = config::FileWatch::open(loop_, options_.watched_files);
    if (!watch) {
      log(log_, LogLevel::warning, "fairlead",
          [&] { return "cannot watch the configuration files: " + watch.error().message; });
      co_return;
    }
    while (co_await (*watch)->next()) reload();
  }

  void watch_signals() {
    stop_signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      // A second signal ends the process immediately.
      std::signal(SIGINT, SIG_DFL);
      std::signal(SIGTERM, SIG_DFL);
      request_stop();
    });
    watch_reloads();
  }

  void watch_reloads() {
    reload_signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      reload();
      watch_reloads();
    });
  }

  void reload() {
    if (!options_.reload) return;
    auto config = options_.reload();
    if (config) keep_listeners(*config);
    if (config) redact_secrets(*config);
    auto applied = config ? listeners_.reload_oauth(*config) : Result<void>(std::unexpected(config.error()));
    if (applied) applied = gateway_.apply(*config);
    if (!applied) {
      log(log_, LogLevel::error, "fairlead",
          [&] { return "reload failed, the old configuration stays in effect: " + applied.error().message; });
      return;
    }
    const auto change = diff(options_.config, *config);
    options_.config = std::move(*config);
    configure_sign_in_pages();
    log(log_, LogLevel::info, "fairlead", [&] { return "configuration reloaded" + change_summary(change); });
    warn_if_no_servers();
  }

  // Open ports stay as they are; `listen.oauth` can change, except that it is added or removed.
  void keep_listeners(GatewayConfig& config) {
    auto kept = options_.config.listen;
    if (kept.oauth.enabled() && config.listen.oauth.enabled()) {
      kept.oauth = config.listen.oauth;
      kept.public_url = config.listen.public_url;
    }
    if (config.listen == kept) return;
    config.listen = std::move(kept);
    log(log_, LogLevel::warning, "fairlead",
        [] { return "changes under listen, except listen.oauth, take effect after a restart"; });
  }

  void request_stop() {
    stopping_ = true;
    stop_event_.notify();
  }

  Task<void> close_all() {
    if (control_) control_->close();
    end_calls_timer_.arm(Deadline::in(call_drain_timeout, loop_.timers.clock()));
    co_await listeners_.close(connection_drain_timeout);
    end_calls_timer_.disarm();
    stop_signals_.cancel();
    reload_signals_.cancel();
  }

  AppOptions options_;
  LogSink& log_;
  Redactor& redactor_;
  asio::io_context io_{1};
  TimerWheelDriver timers_{io_.get_executor()};
  EventLoop loop_;
  Gateway gateway_;
  ClientListeners listeners_;
  Timer end_calls_timer_, report_timer_;
  std::unique_ptr<ControlServer> control_;
  AsyncEvent stop_event_;
  asio::signal_set stop_signals_, reload_signals_;
  Result<void> startup_result_;  // With exit_if_server_dies: why the start failed.
  bool stopping_ = false, listening_reported_ = false;
};

}  // namespace

Result<void> run_app(AppOptions options, LogSink& log, Redactor& redactor) {
  return App(std::move(options), log, redactor).run();
}

}  // namespace fairlead::gateway
