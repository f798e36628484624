#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <fairlead/base/debug_switch.hpp>
#include <fairlead/base/wheel_driver.hpp>
#include <fairlead/server/server.hpp>
#include <fairlead/session/session.hpp>
#include <fairlead/transport/stdio.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/server_state.hpp"

namespace fairlead::server {
namespace {

void print(std::FILE* to, const std::string& text) {
  std::fputs(text.c_str(), to);
}

std::string program_name(const protocol::Implementation& self, char** argv) {
  const std::string_view path = argv[0] != nullptr ? argv[0] : "";
  const auto name = path.substr(path.find_last_of('/') + 1);
  return name.empty() ? self.name : std::string(name);
}

std::string help(const protocol::Implementation& self, const std::string& program) {
  std::string text =
      "usage: " + program + " [--stdio] [--debug[=<file>]]\n       " + program + " --help | --version\n\n";
  text += self.title.value_or(self.name) + ", an MCP server.\n";
  if (self.description) text += *self.description + "\n";
  return text +
         "\n"
         "  --stdio           serve the client on stdin and stdout until it hangs up; the default\n"
         "  --debug[=<file>]  log every step on stderr, and to a file as well\n"
         "  -h, --help        print this and exit\n"
         "  --version         print the version and exit\n";
}

constexpr std::string_view debug_value = "--debug=";

DebugDecision decide(int argc, char** argv) {
  DebugWishes wishes{.environment = debug_environment()};
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--debug") wishes.command_line = "on";
    if (option.starts_with(debug_value)) wishes.command_line = option.substr(debug_value.size());
  }
  return decide_debug(wishes);
}

// The exit code, if the options leave nothing to serve.
std::optional<int> finished(const protocol::Implementation& self, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--version") {
      print(stdout, self.name + " " + self.version + "\n");
      return 0;
    }
    const std::string program = program_name(self, argv);
    if (option == "--help" || option == "-h") {
      print(stdout, help(self, program));
      return 0;
    }
    if (option == "--stdio" || option == "--debug" || option.starts_with(debug_value)) continue;
    const std::string what = option.starts_with('-') ? "unknown option" : "unexpected argument";
    print(stderr,
          program + ": " + what + " '" + std::string(option) + "'; " + program + " --help lists what there is\n");
    return 2;
  }
  return std::nullopt;
}

/// The first signal ends a session in good order, the second at once.
class StopSignals {
 public:
  StopSignals(boost::asio::io_context& io, session::Session& session)
      : signals_(io, SIGINT, SIGTERM), session_(session) {
    wait();
  }

 private:
  void wait() {
    signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      if (std::exchange(asked_, true)) return session_.close();
      session_.finish();
      wait();
    });
  }

  boost::asio::signal_set signals_;
  session::Session& session_;
  bool asked_ = false;
};

/// Lets `Server::stop` reach a session from other threads, while there is one.
class Stoppable {
 public:
  Stoppable(Guarded<std::function<void()>>& stopper, boost::asio::io_context& io, session::Session& session)
      : stopper_(stopper) {
    set([&io, &session] { boost::asio::post(io, [&session] { session.finish(); }); });
  }
  Stoppable(const Stoppable&) = delete;
  Stoppable& operator=(const Stoppable&) = delete;
  ~Stoppable() { set({}); }

 private:
  void set(std::function<void()> stop) {
    stopper_.with([&](std::function<void()>& current) { current = std::move(stop); });
  }

  Guarded<std::function<void()>>& stopper_;
};

}  // namespace

void Server::stop() {
  state_->stopper.with([](const std::function<void()>& stop) {
    if (stop) stop();
  });
}

int Server::run(int argc, char** argv) {
  if (const auto code = finished(info(), argc, argv)) return *code;
  std::signal(SIGPIPE, SIG_IGN);
  ProgramLog log(decide(argc, argv));
  boost::asio::io_context io(1);
  WheelDriver timers(io.get_executor());
  const Loop loop{io.get_executor(), timers.wheel(), log};
  const auto transport = transport::stdio_transport(loop);
  session::SessionOptions options;
  options.name = info().name;
  session::Session session(loop, *transport, *this, std::move(options));

  StopSignals signals(io, session);
  const Stoppable stoppable(state_->stopper, io, session);
  Result<void> outcome;
  boost::asio::co_spawn(io, session.run(), [&](const std::exception_ptr&, Result<void> ended) {
    outcome = std::move(ended);
    // Whatever is left waits for a clock: the wheel's last turn alone would take most of a second.
    io.stop();
  });
  io.run();
  if (outcome) return 0;
  fairlead::log(log, LogLevel::error, info().name, [&] { return outcome.error().message; });
  return 1;
}

}  // namespace fairlead::server
