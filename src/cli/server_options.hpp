#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/transport/child.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/log_options.hpp"

namespace fairlead::cli {

/// How a command reaches the server that its words name.
struct ServerOptions {
  std::string timeout = "30s";
  std::string framing = "line";
  std::string directory = {};
  std::vector<std::string> environment = {};
  bool json = false;
  LogOptions log = {};
};

void add_server_options(Options& options, ServerOptions& server);

/// The same, understood.
struct ServerChoice {
  transport::ChildOptions child;
  Duration patience;
  DebugDecision debug;
};

/// An error is the user's: it says what to write instead.
Result<ServerChoice> choose_server(const ServerOptions& server, const Words& words);

}  // namespace fairlead::cli
