#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "answer/config.hpp"

namespace fairlead::answer {

/// The value of a variable, if it is set to something.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

Environment process_environment();

/// Takes a variable out of the environment of this process and returns its value. The memory where the value was is
/// overwritten, so that `/proc/<pid>/environ` does not show it any more. Before there are other threads.
std::string take_variable(const std::string& name);

/// Where a configuration came from.
struct ConfigSources {
  std::optional<std::string> yaml = {};
  std::vector<std::string> env = {};  ///< Names of variables.
  std::vector<std::string> cli = {};  ///< Options.
};

struct LoadedConfig {
  Config config = {};
  ConfigSources sources = {};
  std::vector<std::string> warnings = {};  ///< What was passed over, and why.
};

/// Where the file is looked for unless told otherwise; empty without a home.
std::string default_config_path(const Environment& environment);

/// A path as people write it: `~/…` is in the home.
std::string expanded_path(const std::string& path, const Environment& environment);

/// Defaults, what the file says over them, what the environment says over both. A file that is not there says nothing.
Result<LoadedConfig> load_config(const std::string& path, const Environment& environment);

/// `{version, sources, effective}` for people. No secret is in it.
std::string show_config(const LoadedConfig& loaded, const std::string& version);

}  // namespace fairlead::answer
