#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/wheel_driver.hpp>
#include <fairlead/server/server.hpp>
#include <fairlead/session/session.hpp>
#include <fairlead/transport/stdio.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fairlead::server {
namespace {

void print(std::FILE* to, const std::string& text) {
  std::fputs(text.c_str(), to);
}

// The exit code, if the options leave nothing to serve.
std::optional<int> finished(const protocol::Implementation& self, int argc, char** argv) {
  if (argc < 2) return std::nullopt;
  const std::string_view option = argv[1];
  if (option == "--version") {
    print(stdout, self.name + " " + self.version + "\n");
    return 0;
  }
  if (option == "--help" || option == "-h") {
    print(stdout, "usage: " + std::string(argv[0]) + " [--version] [--help]\n\n" + self.name +
                      " is an MCP server. Without an option it serves the client on its stdin and stdout.\n");
    return 0;
  }
  if (option == "--stdio" && argc == 2) return std::nullopt;
  print(stderr, std::string(argv[0]) + ": unknown option '" + std::string(option) + "'; see --help\n");
  return 2;
}

}  // namespace

int Server::run(int argc, char** argv) {
  if (const auto code = finished(info(), argc, argv)) return *code;
  std::signal(SIGPIPE, SIG_IGN);
  StderrSink log;
  boost::asio::io_context io(1);
  WheelDriver timers(io.get_executor());
  const Loop loop{io.get_executor(), timers.wheel(), log};
  const auto transport = transport::stdio_transport(loop);
  session::SessionOptions options;
  options.self = info();
  options.name = info().name;
  session::Session session(loop, *transport, *this, std::move(options));

  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (!error) session.close();
  });
  Result<void> outcome;
  boost::asio::co_spawn(io, session.run(), [&](const std::exception_ptr&, Result<void> ended) {
    outcome = std::move(ended);
    signals.cancel();
  });
  io.run();
  if (outcome) return 0;
  fairlead::log(log, LogLevel::error, info().name, [&] { return outcome.error().message; });
  return 1;
}

}  // namespace fairlead::server
