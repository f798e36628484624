#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/client/endpoint.hpp>
#include <fairlead/client/options.hpp>
#include <fairlead/protocol/model/tools.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gateway/config/config.hpp"
#include "gateway/merge/naming.hpp"

namespace fairlead::cli {

/// A configured server, as it was found to be.
struct Sighting {
  std::string name;
  std::string kind;          ///< "command", or how it is reached: "http", "ws", "unix".
  std::string address = {};  ///< Its command or its URL, without secrets.
  bool answers = false;
  std::string trouble = {};  ///< Why not, with what it printed; may have several lines.
  std::optional<Diagnosis> diagnosis = {};
  std::string revision = {};
  std::vector<protocol::Tool> tools = {};
  double milliseconds = 0;  ///< Until it had introduced itself and listed its tools.
};

struct SurveyOptions {
  Duration deadline = std::chrono::seconds{10};  ///< For each; a dead one delays nobody else.
  std::optional<client::Era> era = {};           ///< Instead of what the configuration says.
};

/// What the configuration alone tells of a server.
Sighting unseen(const gateway::ServerConfig& server);

/// Where a server is, for a short look: what is slow to leave is not waited for.
client::Endpoint brief_way_to(const gateway::ServerConfig& server);

/// Asks all servers at once who they are and what tools they have, in their order.
std::vector<Sighting> survey(const std::vector<gateway::ServerConfig>& servers, const SurveyOptions& options);

/// Those that are not switched off.
std::vector<gateway::ServerConfig> enabled_servers(const gateway::GatewayConfig& config);

/// A tool, and the name under which the gateway offers it.
struct OfferedTool {
  std::string server;
  std::string tool;
  std::string name;
  gateway::NameChange change = gateway::NameChange::none;
  std::string description = {};
};
std::vector<OfferedTool> offered_tools(const std::vector<Sighting>& seen, const gateway::GatewayConfig& config);

}  // namespace fairlead::cli
