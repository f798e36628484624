#pragma once

#include <fairlead/base/debug_options.hpp>
#include <functional>
#include <string>

#include "gateway/app/gateway_app.hpp"

namespace fairlead::cli {

/// A gateway that a command runs, and what it prints to stderr meanwhile.
struct GatewayRun {
  gateway::AppOptions app;
  DebugDecision debug = {};
  bool show_banner = true;  ///< Print the URLs and a client configuration.

  /// More text to print once the gateway listens. Called with the URL of the /mcp endpoint.
  std::function<std::string(const std::string& mcp_url)> extra_banner = {};
};

/// Runs the gateway until a signal stops it. Returns the exit code.
int run_gateway(GatewayRun run);

}  // namespace fairlead::cli
