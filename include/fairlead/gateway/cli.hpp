#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <string>
#include <vector>

namespace fairlead::gateway {

/// A program as a tool.
struct CliCommand {
  std::string tool;                  ///< Its name.
  std::vector<std::string> command;  ///< The program and what always goes with it. No shell reads it.
};

struct CliOptions {
  std::vector<CliCommand> commands;
  Duration timeout = std::chrono::seconds{30};
};

/// Adds command-line programs to the tools of the server behind; what arguments they take is read off their help.
std::unique_ptr<Middleware> cli(CliOptions options, Loop loop);

}  // namespace fairlead::gateway
