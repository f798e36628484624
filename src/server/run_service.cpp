#include "server/run_service.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <fairlead/base/log.hpp>
#include <fairlead/base/wheel_driver.hpp>
#include <string>
#include <unistd.h>
#include <utility>

namespace fairlead::server {
namespace {

/// The first signal asks for an end in good order, the second for one at once.
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
      if (std::exchange(asked_, true)) return close_();
      finish_();
      wait();
    });
  }

  boost::asio::signal_set signals_;
  std::function<void()> finish_, close_;
  bool asked_ = false;
};

/// Lets other threads reach what runs, while it runs.
class Stoppable {
 public:
  Stoppable(Guarded<std::function<void()>>* stopper, boost::asio::io_context& io, std::function<void()> finish)
      : stopper_(stopper) {
    set([&io, finish = std::move(finish)] { boost::asio::post(io, finish); });
  }
  Stoppable(const Stoppable&) = delete;
  Stoppable& operator=(const Stoppable&) = delete;
  ~Stoppable() { set({}); }

 private:
  void set(std::function<void()> stop) {
    if (stopper_ == nullptr) return;
    stopper_->with([&](std::function<void()>& current) { current = std::move(stop); });
  }

  Guarded<std::function<void()>>* stopper_;
};

// Somebody who starts a server by hand sees a program that does nothing: MCP waits for the client's first message.
void explain_terminal(LogSink& log, const std::string& name) {
  if (::isatty(STDIN_FILENO) != 1) return;
  fairlead::log(log, LogLevel::info, name, [] {
    return "waiting for an MCP client on stdin, which is a terminal. Let an MCP client start this program, or see "
           "--help "
           "for other ways to serve. Ctrl-D ends it.";
  });
}

Result<void> run_stdio(session::Service& service, LogSink& log, ServiceRun run) {
  explain_terminal(log, run.sessions.name);
  boost::asio::io_context io(1);
  WheelDriver timers(io.get_executor());
  const Loop loop{io.get_executor(), timers.wheel(), log};
  const auto transport = transport::stdio_transport(loop, std::move(run.framing));
  session::Session session(loop, *transport, service, std::move(run.sessions));

  const auto finish = [&session] { session.finish(); };
  StopSignals signals(io, finish, [&session] { session.close(); });
  const Stoppable stoppable(run.stopper, io, finish);
  Result<void> outcome;
  boost::asio::co_spawn(io, session.run(), [&](const std::exception_ptr&, Result<void> ended) {
    outcome = std::move(ended);
    // Whatever is left waits for a clock: the wheel's last turn alone would take most of a second.
    io.stop();
  });
  io.run();
  return outcome;
}

Result<void> run_http(session::Service& service, LogSink& log, ServiceRun run) {
  HttpServing serving(service, log, std::move(*run.http), run.sessions);
  if (auto started = serving.start(); !started) return started;
  fairlead::log(log, LogLevel::info, run.sessions.name, [&] { return "listening on " + serving.url() + "/mcp"; });

  // This thread only waits for the end.
  boost::asio::io_context io(1);
  const auto idle = boost::asio::make_work_guard(io);
  const auto finish = [&io] { io.stop(); };
  StopSignals signals(io, finish, finish);
  const Stoppable stoppable(run.stopper, io, finish);
  io.run();
  // A second signal must not have to wait for the drain.
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  serving.stop();
  return {};
}

}  // namespace

Result<void> run_service(session::Service& service, LogSink& log, ServiceRun run) {
  return run.http ? run_http(service, log, std::move(run)) : run_stdio(service, log, std::move(run));
}

}  // namespace fairlead::server
