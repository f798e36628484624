#include "server/run_service.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel_driver.hpp>
#include <string>
#include <unistd.h>

namespace fairlead::server {
namespace {

/// The first SIGINT or SIGTERM stops gracefully, the second at once.
class StopSignals {
 public:
  StopSignals(boost::asio::io_context& io, std::function<void()> finish, std::function<void()> close)
      : signals_(io, SIGINT, SIGTERM), finish_(std::move(finish)), close_(std::move(close)) {
    wait();
  }

 private:
  void wait() {
    signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      if (std::exchange(stop_requested_, true)) return close_();
      finish_();
      wait();
    });
  }

  boost::asio::signal_set signals_;
  std::function<void()> finish_, close_;
  bool stop_requested_ = false;
};

/// Sets the stop function while the service runs.
class StopRegistration : NonCopyable {
 public:
  StopRegistration(Synchronized<std::function<void()>>* stopper, boost::asio::io_context& io,
                   std::function<void()> finish)
      : stopper_(stopper) {
    set([&io, finish = std::move(finish)] { boost::asio::post(io, finish); });
  }
  ~StopRegistration() { set({}); }

 private:
  void set(std::function<void()> stop) {
    if (stopper_ == nullptr) return;
    stopper_->with([&](std::function<void()>& current) { current = std::move(stop); });
  }

  Synchronized<std::function<void()>>* stopper_;
};

// Started by hand, the program seems to do nothing: the server waits for the client's first message.
void warn_if_terminal(LogSink& log, const std::string& name) {
  if (::isatty(STDIN_FILENO) != 1) return;
  fairlead::log(log, LogLevel::info, name, [] {
    return "waiting for an MCP client on stdin, which is a terminal. Configure an MCP client to start this program, or "
           "see --help for HTTP. Ctrl-D ends it.";
  });
}

Result<void> run_stdio(session::Service& service, LogSink& log, ServeOptions run) {
  warn_if_terminal(log, run.sessions.name);
  boost::asio::io_context io(1);
  TimerWheelDriver timers(io.get_executor());
  const EventLoop loop{io.get_executor(), timers.wheel(), log};
  const auto transport = transport::stdio_transport(loop, std::move(run.framing));
  session::Session session(loop, *transport, service, std::move(run.sessions));

  const auto finish = [&session] { session.shutdown_gracefully(); };
  StopSignals signals(io, finish, [&session] { session.close(); });
  const StopRegistration stop_registration(run.stopper, io, finish);
  Result<void> outcome;
  async_start(io, session.run(), [&](const std::exception_ptr&, Result<void> ended) {
    outcome = std::move(ended);
    // Only timers are left; waiting for the next tick of the timer wheel would take most of a second.
    io.stop();
  });
  io.run();
  return outcome;
}

Result<void> run_http(session::Service& service, LogSink& log, ServeOptions run) {
  HttpServer serving(service, log, std::move(*run.http), run.sessions);
  if (auto started = serving.start(); !started) return started;
  fairlead::log(log, LogLevel::info, run.sessions.name, [&] { return "listening on " + serving.url() + "/mcp"; });

  // This thread only waits for a signal or stop().
  boost::asio::io_context io(1);
  const auto idle = boost::asio::make_work_guard(io);
  const auto finish = [&io] { io.stop(); };
  StopSignals signals(io, finish, finish);
  const StopRegistration stop_registration(run.stopper, io, finish);
  io.run();
  // A second signal ends the process without waiting for the drain.
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  serving.stop();
  return {};
}

}  // namespace

Result<void> run_service(session::Service& service, LogSink& log, ServeOptions run) {
  return run.http ? run_http(service, log, std::move(run)) : run_stdio(service, log, std::move(run));
}

}  // namespace fairlead::server
