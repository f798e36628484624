#pragma once

#include "gateway/config/load.hpp"

namespace fairlead::cli {

/// Clients whose configuration can be imported.
std::vector<std::string> importable_clients();

/// Paths of a client's configuration files on Linux.
std::vector<std::string> client_config_paths(std::string_view client);

/// Loads a client's servers. References to environment variables are kept, so that no secret is copied into a file.
Result<gateway::LoadedConfig> load_client_config(std::string_view client);

}  // namespace fairlead::cli
