#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

/// A command-line program that is offered as a tool.
struct CommandTool {
  std::string tool;                  ///< Name of the tool.
  std::vector<std::string> command;  ///< Program and fixed arguments; executed without a shell.
};

struct CommandToolsOptions {
  std::vector<CommandTool> commands;
  Duration timeout = std::chrono::seconds{30};
  std::size_t processes = 16;  ///< Concurrent processes of all callers; further calls fail at once.
};

/// Adds command-line programs to the tools of the next service. Their arguments are read from their `--help` output.
std::unique_ptr<Middleware> command_tools(CommandToolsOptions options, EventLoop loop);

}  // namespace fairlead::gateway
