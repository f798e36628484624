#pragma once

#include <fairlead/base/debug_switch.hpp>
#include <fairlead/base/result.hpp>
#include <string>
#include <vector>

#include "cli/options.hpp"

namespace fairlead::cli {

/// What every command understands about logging.
struct LogOptions {
  std::string debug = {};               ///< Empty if the command line is silent on it.
  std::string config = {};              ///< A configuration file.
  std::vector<std::string> files = {};  ///< Several; what a later one says is stronger.
};

void add_log_options(Options& options, LogOptions& log,
                     const std::string& about_config = "a configuration file, of which only `debug` is read");

/// The same for commands that find servers in configuration files.
void add_servers_options(Options& options, LogOptions& log);

/// The one judgement of command line, environment and configuration. An error says what is wrong with the file.
Result<DebugDecision> decide(const LogOptions& log);

}  // namespace fairlead::cli
