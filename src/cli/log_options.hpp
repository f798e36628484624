#pragma once

#include <fairlead/base/debug_options.hpp>
#include <fairlead/base/result.hpp>

#include "cli/options.hpp"

namespace fairlead::cli {

/// Logging options of every command.
struct LogOptions {
  std::string debug = {};               ///< Empty if not given.
  std::string config = {};              ///< A configuration file.
  std::vector<std::string> files = {};  ///< Several; later files override earlier ones.
};

void add_log_options(Options& options, LogOptions& log,
                     const std::string& about_config = "a configuration file; only its `debug` key is used");

/// Adds --debug, and -c for commands that read servers from configuration files.
void add_config_options(Options& options, LogOptions& log);

/// Decides on debug logging from command line, environment and configuration, in this order. Fails on an invalid file.
Result<DebugDecision> resolve_debug(const LogOptions& log);

}  // namespace fairlead::cli
