#pragma once

#include <string>
#include <vector>

#include "cli/listen_words.hpp"
#include "cli/options.hpp"
#include "cli/server_options.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// Where clients come in, and what the server is told, when it is named on the command line.
struct BridgeWords {
  ListenWords listen = {};
  std::string share = {}, directory = {};
  std::vector<std::string> environment = {};
};

void add_bridge_options(Options& options, BridgeWords& bridge);

// Errors are the user's.

/// A gateway with this server only, which clients reach as the options say.
Result<gateway::GatewayConfig> bridge_to(gateway::ServerConfig server, const ListenWords& words);
void listen_on_stdio(gateway::ListenConfig& listen);

Result<gateway::ServerConfig> started_server(const BridgeWords& bridge, const std::vector<std::string>& command);
Result<gateway::ServerConfig> remote_server(const std::string& url, const UrlOptions& at);

}  // namespace fairlead::cli
