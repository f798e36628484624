#pragma once

#include <cstddef>
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
  std::size_t processes = 16;  ///< Run at the same time, of all callers together. A call beyond them fails at once.
};

/// Adds command-line programs to the tools of the server behind; what arguments they take is read off their help.
std::unique_ptr<Middleware> cli(CliOptions options, Loop loop);

}  // namespace fairlead::gateway
