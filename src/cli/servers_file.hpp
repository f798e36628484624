#pragma once

#include "gateway/config/load.hpp"

/// The configuration files with the user's servers.
namespace fairlead::cli {

/// The user's home directory; empty if unknown.
std::string home_directory();
/// `$XDG_CONFIG_HOME`, or `~/.config`.
std::string config_directory();

/// The file that commands use by default. It may not exist.
std::string default_servers_file();

/// The given files, or the default file if it exists. The error says how to create one.
Result<std::vector<std::string>> resolve_config_files(std::vector<std::string> named);
Result<gateway::LoadedConfig> load_servers(std::vector<std::string> named);

/// The names of the configured servers, as part of an error message.
std::string server_names_hint(const gateway::GatewayConfig& config);

/// A server by its name; the error lists the known names.
Result<gateway::ServerConfig> find_server(const gateway::GatewayConfig& config, const std::string& name);

/// A qualified name such as `files.read`: the configured server and the rest.
struct QualifiedName {
  gateway::ServerConfig server;
  std::string rest;
};
Result<QualifiedName> split_qualified_name(const gateway::GatewayConfig& config, const std::string& word);

}  // namespace fairlead::cli
