#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "answer/config.hpp"

namespace fairlead::answer {

/// Returns the value of an environment variable, if set and not empty.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

Environment process_environment();

/// Removes a variable from the environment of this process and returns its value. Overwrites the memory of the value,
/// so that `/proc/<pid>/environ` does not show it. Call before other threads start.
std::string consume_variable(const std::string& name);

/// The sources of a configuration.
struct ConfigSources {
  std::optional<std::string> yaml = {};
  std::vector<std::string> env = {};  ///< Names of variables.
  std::vector<std::string> cli = {};  ///< Options.
};

struct LoadedConfig {
  AnswerConfig config = {};
  ConfigSources sources = {};
  std::vector<std::string> warnings = {};  ///< Ignored settings, with the reason.
};

/// The default path of the file; empty if HOME is not set.
std::string default_config_path(const Environment& environment);

/// Expands a leading `~/`.
std::string expanded_path(const std::string& path, const Environment& environment);

/// Loads the defaults, overlaid by the file, overlaid by the environment. The file may be missing.
Result<LoadedConfig> load_config(const std::string& path, const Environment& environment);

/// `{version, sources, effective}` as indented JSON. Contains no secrets.
std::string show_config(const LoadedConfig& loaded, const std::string& version);

}  // namespace fairlead::answer
