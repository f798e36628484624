#include "cli/serving.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/wheel_driver.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/http/listener.hpp>
#include <fairlead/transport/socket.hpp>
#include <fairlead/transport/stdio.hpp>
#include <memory>
#include <utility>

#include "base/bell.hpp"
#include "base/live_set.hpp"
#include "cli/announcement.hpp"
#include "cli/commands.hpp"
#include "cli/json_log.hpp"
#include "cli/listening.hpp"
#include "cli/output.hpp"
#include "cli/show.hpp"
#include "gateway/config/diff.hpp"
#include "gateway/config/watch.hpp"
#include "gateway/control/control.hpp"
#include "gateway/control/server_reports.hpp"
#include "gateway/gateway.hpp"
#include "gateway/known_secrets.hpp"

namespace fairlead::cli {
namespace {

namespace asio = boost::asio;

// After a signal to end: how long calls may go on, and when connections are cut. In between, calls that still go on are
// answered with an error.
constexpr Duration last_calls = std::chrono::seconds{4};
constexpr Duration drain = std::chrono::seconds{5};

// A server that is slow to start is waited for so long before its address is told.
constexpr Duration longest_silence = std::chrono::seconds{10};

// As much as a body over HTTP may have; a line without end would take all the memory there is.
constexpr std::size_t largest_message = std::size_t{64} * 1024 * 1024;

/// What a reload has changed, for the log.
std::string told(const gateway::Difference& change) {
  if (change.none()) return ": nothing has changed";
  std::string text;
  const auto add = [&](const char* what, const std::vector<std::string>& names) {
    for (const auto& name : names) text += (text.empty() ? ": " : ", ") + std::string(what) + " " + name;
  };
  add("added", change.added);
  add("changed", change.changed);
  add("removed", change.removed);
  return text;
}

/// What is understood and not there yet is said, not passed over.
void warn_of_what_is_missing(const gateway::GatewayConfig& config) {
  if (config.listen.workers != 1) complain("fairlead: listen.workers: the gateway runs on one thread so far");
}

// The deadline helper speaks of results.
Task<Result<bool>> scope_joined(TaskScope& scope) {
  co_await scope.join();
  co_return true;
}

/// All that runs, on one loop.
class Program {
 public:
  Program(Serving serving, LogSink& log, Redactor& redactor)
      : serving_(std::move(serving)),
        log_(log),
        redactor_(redactor),
        loop_{io_.get_executor(), timers_.wheel(), log},
        gateway_(loop_, serving_.registry),
        clients_(loop_.executor, log, "fairlead"),
        end_calls_(timers_.wheel(), [this] { gateway_.end_calls(); }),
        announce_late_(timers_.wheel(), [this] { announce_all(); }),
        over_(loop_.executor),
        ends_(io_, SIGINT, SIGTERM),
        reloads_(io_, SIGHUP) {}

  /// What went wrong.
  Result<void> run() {
    Result<void> outcome;
    asio::co_spawn(io_, whole(), [&](const std::exception_ptr& failure, Result<void> ended) {
      outcome = std::move(ended);
      io_.stop();
      if (failure) std::rethrow_exception(failure);
    });
    io_.run();
    return outcome;
  }

 private:
  Task<Result<void>> whole() {
    hide_secrets(serving_.config);
    warn_of_no_servers();
    // The port first: no server is started in vain.
    auto outcome = open();
    if (outcome) outcome = gateway_.apply(serving_.config);
    if (outcome) {
      tell_where();
      watch_signals();
      co_await with_scope(log_, "fairlead", [this](TaskScope& tasks) { return serve_all(tasks); });
      outcome = std::move(first_start_);
    }
    co_await close();
    co_await gateway_.stop();
    co_return outcome;
  }

  void warn_of_no_servers() {
    const auto& servers = serving_.config.servers;
    if (!serving_.expects_servers || !std::ranges::all_of(servers, &gateway::ServerConfig::disabled)) return;
    log(log_, LogLevel::warning, "fairlead", [&] {
      return std::string(servers.empty() ? "no server is configured" : "all configured servers are disabled") +
             ": clients will find no tools; name a server under servers, or add one with fairlead add";
    });
  }

  void hide_secrets(const gateway::GatewayConfig& config) {
    for (const auto& secret : gateway::secrets_in_logs(config)) redactor_.add_secret(secret);
  }

  Result<void> open() {
    const auto& listen = serving_.config.listen;
    if (listen.http) {
      auto options = listen_options(listen);
      if (!options) return std::unexpected(std::move(options.error()));
      const auto make = [this](Loop, std::size_t) { return std::make_unique<gateway::Entrance>(gateway_.doors()); };
      auto listener = std::make_unique<http::Listener>(loop_, std::move(*options), make);
      if (auto opened = listener->open(); !opened) return opened;
      http_ = std::move(listener);
    }
    if (!listen.unix_socket.empty()) {
      const transport::FramedOptions framing{.max_message = largest_message, .name = "socket"};
      auto opened = transport::SocketListener::on_unix(loop_, listen.unix_socket, framing);
      if (!opened) return std::unexpected(std::move(opened.error()));
      socket_ = std::move(*opened);
    }
    return {};
  }

  void tell_where() {
    open_control();
    if (serving_.needs_servers) {
      announce_late_.arm(Deadline::in(longest_silence, loop_.timers.clock()));
    } else {
      announce_all();
    }
  }

  void announce_all() {
    if (ending_ || std::exchange(announced_, true)) return;
    const auto& listen = serving_.config.listen;
    if (serving_.announce) announce_it(http_ ? http_->url() : "");
    if (serving_.welcome && http_) complain(serving_.welcome(http_->url() + listen.base_path + listen.paths.mcp));
  }

  // Calls are served meanwhile. A server that runs and is slow, or silent, is no reason to end.
  Task<void> wait_for_servers() {
    auto reached = co_await gateway_.reach_all();
    announce_late_.disarm();
    if (ending_) co_return;
    const auto known = reached ? nullptr : reached.error().diagnosis;
    const bool is_dead = known && (known->status || known->signal || known->step == "start");
    if (is_dead) {
      first_start_ = std::move(reached);
      end();
    } else {
      announce_all();
    }
  }

  // The gateway works without it as well.
  void open_control() {
    const auto& config = serving_.config;
    if (config.control == "off") return;
    gateway::ControlView view{.servers = [this] { return gateway::server_reports(gateway_); }, .tap = gateway_.tap()};
    if (http_) view.listens.push_back(http_->url() + config.listen.base_path + config.listen.paths.mcp);
    if (socket_) view.listens.push_back("unix:" + config.listen.unix_socket);
    if (config.listen.stdio) view.listens.emplace_back("stdio");
    control_ = std::make_unique<gateway::Control>(loop_, std::move(view));
    const auto opened = control_->listen(config.control);
    if (opened) return;
    control_.reset();
    log(log_, LogLevel::warning, "fairlead",
        [&] { return "there is no control socket, for fairlead tap and ls --live: " + opened.error().message; });
  }

  // What programs read has nothing in it for people.
  void announce_it(const std::string& url) {
    const auto& config = serving_.config;
    if (config.log.format == gateway::LogFormat::text) return announce(config, url);
    log(log_, LogLevel::info, "fairlead", [&] {
      return "serving on " +
             (url.empty() ? "stdio or a socket" : url + config.listen.base_path + config.listen.paths.mcp);
    });
  }

  Task<void> serve_all(TaskScope& tasks) {
    if (serving_.needs_servers) tasks.spawn(wait_for_servers());
    if (serving_.config.listen.stdio) clients_.spawn(serve_stdio());
    if (socket_) tasks.spawn(accept_all());
    if (control_) tasks.spawn(control_->serve(tasks));
    if (serving_.reload && !serving_.watched.empty()) tasks.spawn(watch_files());
    while (!ending_) co_await over_.wait();
    tasks.cancel();
  }

  Task<void> serve_stdio() {
    auto framing = transport::stdio_options();
    framing.max_message = largest_message;
    const auto transport = transport::stdio_transport(loop_, std::move(framing));
    const auto hosted = gateway_.all().open(loop_, *transport, {.name = "stdio"});
    const LiveSet<transport::Hosted>::Entry present(hosted_, *hosted);
    co_await hosted->run();
    end();
  }

  Task<void> accept_all() {
    while (auto accepted = co_await socket_->accept()) {
      clients_.spawn(serve_socket(std::shared_ptr<transport::Transport>(std::move(*accepted))));
    }
  }

  Task<void> serve_socket(std::shared_ptr<transport::Transport> transport) {
    const auto hosted = gateway_.all().open(loop_, *transport, {.name = "socket"});
    const LiveSet<transport::Hosted>::Entry present(hosted_, *hosted);
    co_await hosted->run();
  }

  Task<void> watch_files() {
    const auto watch = gateway::FileWatch::open(loop_, serving_.watched);
    if (!watch) {
      log(log_, LogLevel::warning, "fairlead", [&] { return "changes will not be noticed: " + watch.error().message; });
      co_return;
    }
    while (co_await (*watch)->next()) reload();
  }

  void watch_signals() {
    ends_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      // A second one must not have to wait for anything.
      std::signal(SIGINT, SIG_DFL);
      std::signal(SIGTERM, SIG_DFL);
      end();
    });
    watch_reloads();
  }

  void watch_reloads() {
    reloads_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      reload();
      watch_reloads();
    });
  }

  void reload() {
    if (!serving_.reload) return;
    auto config = serving_.reload();
    if (config && config->listen != serving_.config.listen) {
      config->listen = serving_.config.listen;
      log(log_, LogLevel::warning, "fairlead", [] { return "where to listen changes with the next start only"; });
    }
    if (config) hide_secrets(*config);
    const auto applied = config ? gateway_.apply(*config) : Result<void>(std::unexpected(config.error()));
    if (!applied) {
      log(log_, LogLevel::error, "fairlead",
          [&] { return "the new configuration is wrong, the old one stays: " + applied.error().message; });
      return;
    }
    const auto change = gateway::diff(serving_.config, *config);
    serving_.config = std::move(*config);
    log(log_, LogLevel::info, "fairlead", [&] { return "the new configuration is in force" + told(change); });
    warn_of_no_servers();
  }

  void end() {
    ending_ = true;
    over_.ring();
  }

  Task<void> close() {
    if (socket_) socket_->close();
    if (control_) control_->close();
    end_calls_.arm(Deadline::in(last_calls, loop_.timers.clock()));
    hosted_.for_each([](transport::Hosted& each) { each.finish(); });
    if (http_) co_await http_->close(drain);
    const auto until = Deadline::in(drain, loop_.timers.clock());
    co_await with_deadline(loop_.timers, until, scope_joined(clients_));
    co_await clients_.join();
    end_calls_.disarm();
    ends_.cancel();
    reloads_.cancel();
  }

  Serving serving_;
  LogSink& log_;
  Redactor& redactor_;
  asio::io_context io_{1};
  WheelDriver timers_{io_.get_executor()};
  Loop loop_;
  gateway::Gateway gateway_;
  TaskScope clients_;  // Those that come neither over HTTP nor for the operator.
  LiveSet<transport::Hosted> hosted_;
  Timer end_calls_, announce_late_;
  std::unique_ptr<http::Listener> http_;
  std::unique_ptr<transport::SocketListener> socket_;
  std::unique_ptr<gateway::Control> control_;
  Bell over_;
  asio::signal_set ends_, reloads_;
  Result<void> first_start_;  // Of the servers that are needed.
  bool ending_ = false, announced_ = false;
};

}  // namespace

int serve(Serving serving) {
  warn_of_what_is_missing(serving.config);
  // Before anything is started: what is wrong here is a mistake of usage.
  if (const auto options = listen_options(serving.config.listen); serving.config.listen.http && !options) {
    complain("fairlead: " + options.error().message);
    return exit_code::usage;
  }
  const bool in_json = serving.config.log.format == gateway::LogFormat::json;
  const auto log = make_log(serving.debug, serving.config.log.level, in_json);
  Program program(std::move(serving), *log.sink, *log.redactor);
  const auto outcome = program.run();
  if (outcome) return exit_code::done;
  complain("fairlead: " + for_terminal(outcome.error().message));
  const auto& known = outcome.error().diagnosis;
  if (!known) return exit_code::failed;
  if (known->advice) complain("fairlead: " + for_terminal(*known->advice));
  return exit_code::unreachable;
}

}  // namespace fairlead::cli
