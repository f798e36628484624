#pragma once

#include <fairlead/base/result.hpp>

#include "config/read_context.hpp"
#include "config/tree.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// A configuration with the sources of its values.
struct LoadedConfig {
  GatewayConfig config = {};
  config::Sources sources = {};
  std::vector<std::string> warnings = {};
};

/// Reads documents in order; later ones override earlier ones. An error lists everything that is wrong, one line each.
Result<LoadedConfig> read_config(std::span<const config::Document> documents, const config::ReadOptions& options = {});

/// Reads files from disk like `read_config`.
Result<LoadedConfig> load_config(std::span<const std::string> paths,
                                 const config::Environment& environment = config::process_environment());

/// What could be read of a configuration, and its errors.
struct ConfigReport {
  LoadedConfig loaded = {};
  std::vector<std::string> problems = {};         ///< One line each.
  std::vector<std::string> invalid_servers = {};  ///< Names of servers with errors in their entries.
};

/// Reads files like `load_config` but continues after errors, and checks the files and folders that the configuration
/// names.
ConfigReport check_config_files(std::span<const std::string> paths,
                                const config::Environment& environment = config::process_environment());

/// A chain in one line: `http://:8000 | timeout(30s) | stdio:npx -y server`.
Result<LoadedConfig> read_pipe(std::string_view line, const config::ReadOptions& options = {});

/// True if a command-line argument is a chain in pipe syntax.
bool is_pipe(std::string_view word);

/// Validates again after command-line options changed the configuration.
Result<void> validate_config(const LoadedConfig& loaded);

}  // namespace fairlead::gateway
