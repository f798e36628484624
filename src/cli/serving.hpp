#pragma once

#include <fairlead/base/debug_switch.hpp>
#include <fairlead/gateway/registry.hpp>
#include <functional>
#include <string>
#include <vector>

#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// A gateway to run until it is told to stop.
struct Serving {
  gateway::GatewayConfig config;
  DebugDecision debug = {};
  bool announce = true;          ///< Say on stderr where it is and what to try.
  bool needs_servers = false;    ///< End, with exit code 3, if a server's process cannot be started or exits at once.
  bool expects_servers = false;  ///< Warn if the configuration has none.

  /// What its chains may be made of.
  gateway::Registry registry = gateway::Registry::standard();

  /// What else to say once it listens, given the URL of all servers.
  std::function<std::string(const std::string& mcp_url)> welcome = {};

  /// Reads the configuration once more, for SIGHUP and for `watched`; nothing to reload without it.
  std::function<Result<gateway::GatewayConfig>()> reload = {};
  std::vector<std::string> watched = {};  ///< Files; a change of one reloads.
};

/// The exit code.
int serve(Serving serving);

}  // namespace fairlead::cli
