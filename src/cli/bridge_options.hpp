#pragma once

#include <string>
#include <vector>

#include "cli/listen_overrides.hpp"
#include "cli/named_server.hpp"
#include "cli/options.hpp"
#include "cli/server_options.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// Options of commands that serve one server given on the command line: how to listen, and how to start the server.
struct BridgeOptions {
  ListenOverrides listen = {};
  std::string share = {}, directory = {};
  std::vector<std::string> environment = {};
};

/// Adds `-e` and `--cwd`, for a server that is started.
void add_start_options(Options& options, BridgeOptions& bridge);
/// Adds the start options, the listen options and `--share`.
void add_bridge_options(Options& options, BridgeOptions& bridge);

/// Finds the first argument that is a chain, and removes it. Empty if there is none. Call it before extract_server: a
/// chain starts like a URL.
std::string extract_pipe(Args& args);

// The errors below are for the user.

/// A gateway configuration with this server only and these listen options.
Result<gateway::GatewayConfig> bridge_to(gateway::ServerConfig server, const ListenOverrides& flags);
void listen_on_stdio(gateway::ListenConfig& listen);

/// The configuration of the chosen server. Requires `chosen.is_set()`.
Result<gateway::ServerConfig> make_server_config(const ChosenServer& chosen, const BridgeOptions& bridge,
                                                 const UrlOptions& at);

}  // namespace fairlead::cli
