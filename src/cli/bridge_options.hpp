#pragma once

#include "cli/listen_overrides.hpp"
#include "cli/server_options.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// Options of commands that serve one server given on the command line: the server, how to start or reach it, and how
/// to listen.
struct BridgeOptions {
  ListenOverrides listen = {};
  std::string share = {}, directory = {};
  std::vector<std::string> environment = {};
  UrlOptions at = {};
  LogOptions log = {};
  ChosenServer server = {};
  std::string chain = {};  ///< Instead of a server: one argument with a listen address, steps and a server.
};

/// Adds `-e` and `--cwd`, for a server that is started.
void add_start_options(Options& options, BridgeOptions& bridge);
/// Adds the listen options, the start options, `--share` and the URL options.
void add_bridge_options(Options& options, BridgeOptions& bridge);
/// Declares that the command takes a server, as by add_server_argument, or the first argument that is a chain.
void add_server_or_chain_argument(Options& options, BridgeOptions& bridge);

// The errors below are for the user.

/// The configuration of the chosen server. Requires `bridge.server.is_set()`.
Result<gateway::ServerConfig> make_server_config(const BridgeOptions& bridge);
/// A gateway configuration with this server only and the listen options.
Result<gateway::GatewayConfig> make_bridge_config(const BridgeOptions& bridge);
void listen_on_stdio(gateway::ListenConfig& listen);

}  // namespace fairlead::cli
