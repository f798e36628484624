#pragma once

#include <fairlead/base/debug_options.hpp>
#include <fairlead/gateway/registry.hpp>
#include <functional>
#include <string>
#include <vector>

#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// A gateway to run until a signal stops it.
struct GatewayAppOptions {
  gateway::GatewayConfig config;
  DebugDecision debug = {};
  bool show_banner = true;            ///< Print the URLs and a client configuration to stderr.
  bool exit_if_server_dies = false;   ///< Exit with code 3 if a server process cannot be started or exits immediately.
  bool warn_without_servers = false;  ///< Log a warning if no server is configured.

  /// The middleware that chains may use.
  gateway::Registry registry = gateway::Registry::standard();

  /// More text to print once the gateway listens. Called with the URL of the /mcp endpoint.
  std::function<std::string(const std::string& mcp_url)> extra_banner = {};

  /// Reads the configuration again, on SIGHUP and when a watched file changes. If empty, nothing is reloaded.
  std::function<Result<gateway::GatewayConfig>()> reload = {};
  std::vector<std::string> watched_files = {};  ///< A change of one of these files reloads the configuration.
};

/// Runs the gateway on the calling thread. Returns the exit code.
int run_gateway(GatewayAppOptions options);

}  // namespace fairlead::cli
