#pragma once

#include "answer/config.hpp"
#include "config/source.hpp"
#include "config/variables.hpp"

namespace fairlead::answer {

struct LoadedConfig {
  AnswerConfig config = {};
  config::Sources sources = {};
  std::optional<std::string> file = {};    ///< Absent if there is none.
  std::vector<std::string> options = {};   ///< Names of command-line options.
  std::vector<std::string> warnings = {};  ///< Ignored settings, with the reason.
};

/// The default path of the file; empty if HOME is not set.
std::string default_config_path(const config::Environment& environment);

/// Expands a leading `~/`.
std::string expanded_path(const std::string& path, const config::Environment& environment);

/// Loads the defaults, overlaid by the file, overlaid by the environment. The file may be missing.
Result<LoadedConfig> load_config(const std::string& path, const config::Environment& environment);

/// `{version, sources, effective}` as indented JSON. Contains no secrets.
std::string show_config(const LoadedConfig& loaded, const std::string& version);

}  // namespace fairlead::answer
