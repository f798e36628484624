#pragma once

#include <fairlead/base/result.hpp>
#include <string>
#include <vector>

#include "gateway/config/load.hpp"

/// Where the servers of this user are written down.
namespace fairlead::cli {

/// The user's home; empty where nobody says.
std::string home_folder();
/// `$XDG_CONFIG_HOME`, or `.config` at home.
std::string config_folder();

/// What commands work on that are given no file. It need not exist.
std::string default_servers_file();

/// The files that were named, or the user's own. The error says how to begin one.
Result<std::vector<std::string>> servers_files(std::vector<std::string> named);
Result<gateway::Loaded> load_servers(std::vector<std::string> named);

/// The names, for a message.
std::string known_servers(const gateway::GatewayConfig& config);

/// A server by its name; the error lists the known names.
Result<gateway::ServerConfig> find_server(const gateway::GatewayConfig& config, const std::string& name);

/// The configured server that a word such as `files.read` begins with, and the rest of the word.
struct ServerWord {
  gateway::ServerConfig server;
  std::string rest;
};
Result<ServerWord> split_server_word(const gateway::GatewayConfig& config, const std::string& word);

}  // namespace fairlead::cli
