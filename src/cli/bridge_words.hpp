#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/server_options.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// Where clients come in, and what the server is told, when it is named on the command line.
struct BridgeWords {
  std::string host = "127.0.0.1", port = {}, share = {};
  bool insecure = false;
  std::vector<std::string> environment = {};
};

void add_bridge_options(Options& options, BridgeWords& bridge);

// Errors are the user's.

/// On HTTP, SSE and WebSocket; on port 8080 if none was named.
Result<void> listen_as_told(const BridgeWords& bridge, gateway::ListenConfig& listen);
void listen_on_stdio(gateway::ListenConfig& listen);

Result<gateway::ServerConfig> started_server(const BridgeWords& bridge, const std::vector<std::string>& command);
Result<gateway::ServerConfig> remote_server(const std::string& url, const UrlOptions& at);

}  // namespace fairlead::cli
