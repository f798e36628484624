#include <csignal>
#include <cstdio>
#include <fairlead/base/debug_options.hpp>
#include <fairlead/server/server.hpp>
#include <stdexcept>
#include <utility>

#include "server/run_options.hpp"
#include "server/run_service.hpp"
#include "server/server_state.hpp"

namespace fairlead::server {

void Server::stop() {
  state_->stopper.with([](const std::function<void()>& stop) {
    if (stop) stop();
  });
}

int Server::run(int argc, char** argv) {
  auto options = read_options(info(), argc, argv);
  if (options.exit_code) return *options.exit_code;
  try {
    state_->begin_serving();
  } catch (const std::invalid_argument& registration_errors) {
    std::fprintf(stderr, "%s: cannot serve because of registration errors:\n%s\n", info().name.c_str(),
                 registration_errors.what());
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  ProgramLog log(options.debug);
  ServeOptions run{.http = std::move(options.http), .stopper = &state_->stopper};
  run.sessions.name = info().name;
  const auto outcome = run_service(*this, log, std::move(run));
  if (outcome) return 0;
  fairlead::log(log, LogLevel::error, info().name, [&] { return outcome.error().message; });
  return 1;
}

}  // namespace fairlead::server
