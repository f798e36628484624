#pragma once

#include <fairlead/base/debug_switch.hpp>
#include <fairlead/base/result.hpp>
#include <string>

#include "cli/options.hpp"

namespace fairlead::cli {

/// What every command understands about logging.
struct LogOptions {
  std::string debug = {};   ///< Empty if the command line is silent on it.
  std::string config = {};  ///< A YAML file.
};

void add_log_options(Options& options, LogOptions& log,
                     const std::string& about_config = "a YAML file, of which `debug` is read");

/// The one judgement of command line, environment and configuration. An error says what is wrong with the file.
Result<DebugDecision> decide(const LogOptions& log);

}  // namespace fairlead::cli
