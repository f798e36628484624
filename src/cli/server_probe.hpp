#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/client/endpoint.hpp>
#include <fairlead/client/options.hpp>
#include <fairlead/protocol/model/tools.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gateway/aggregate/naming.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// The result of probing a configured server.
struct ProbeResult {
  std::string name;
  std::string kind;          ///< "command", or the URL scheme: "http", "ws", "unix".
  std::string address = {};  ///< Its command or its URL, without secrets.
  bool answers = false;
  std::string error = {};  ///< Why it did not respond, with its output; may have several lines.
  std::optional<Diagnosis> diagnosis = {};
  bool needs_sign_in = false;  ///< It requires OAuth, and there is no valid login.
  std::string revision = {};
  std::vector<protocol::Tool> tools = {};
  double milliseconds = 0;  ///< Time for the handshake and the tool list.
};

struct ProbeOptions {
  Duration deadline = std::chrono::seconds{10};   ///< For each server; they are probed concurrently.
  std::optional<client::EraPreference> era = {};  ///< Overrides the configuration.
};

/// A result with configured values only; the server is not contacted.
ProbeResult configured_only(const gateway::ServerConfig& server);

/// The server's endpoint, with a short grace period for the exit of its process.
client::Endpoint short_lived_endpoint(const gateway::ServerConfig& server);

/// Connects to all servers concurrently and lists their tools. Results are in the order of `servers`.
std::vector<ProbeResult> probe_servers(const std::vector<gateway::ServerConfig>& servers, const ProbeOptions& options);

/// The servers that are not disabled.
std::vector<gateway::ServerConfig> enabled_servers(const gateway::GatewayConfig& config);

/// A tool and the name under which the gateway offers it.
struct OfferedTool {
  std::string server;
  std::string tool;
  std::string name;
  gateway::NameChange change = gateway::NameChange::none;
  std::string description = {};
};
std::vector<OfferedTool> offered_tools(const std::vector<ProbeResult>& seen, const gateway::GatewayConfig& config);

}  // namespace fairlead::cli
