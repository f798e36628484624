#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/gateway/registry.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gateway/config/config.hpp"
#include "gateway/model/backend_list.hpp"

/// Dry run of a call: what each step would do.
namespace fairlead::gateway {

struct ExplainRequest {
  std::string server;
  std::string tool;  ///< Name at the server or name for clients.
  std::string arguments = "{}";
  std::string caller = {};               ///< Empty for an anonymous caller.
  std::vector<std::string> scopes = {};  ///< Of the caller's token; empty if they are not known.
};

/// What is known about a server. Servers that were not contacted are absent.
struct KnownServer {
  std::string name;
  std::vector<ListItem> tools = {};
  const protocol::Revision* revision = nullptr;
  std::string error = {};  ///< Why the server did not answer.
};

// The following structs are also the JSON output.

struct ExplainedStep {
  std::string step;    ///< `deny("push")`
  std::string at;      ///< Location such as `chain.yaml:12`, if known.
  std::string name;    ///< Name of the tool at this step.
  std::string effect;  ///< `passes`, `refuses`, `answers` or `unknown`; empty after the deciding step.
  std::string summary;
};

/// One path that clients can use.
struct ExplainedRoute {
  std::string path;
  std::string name;  ///< Name of the tool on this route.
  bool allowed = false;
  std::string verdict;
  std::vector<ExplainedStep> steps;
};

struct ExplainedHeader {
  std::string name;
  std::string value;  ///< Masked if it may be secret.
  std::string from;
};

struct ExplainedSetting {
  std::string name;
  std::string value;
};

struct Explained {
  std::string server;
  std::string tool;  ///< Name at the server.
  std::string caller;
  std::string clients = {};                  ///< Listen addresses and transports.
  std::string address = {};                  ///< Command or URL of the server, masked.
  std::string transport = {};                ///< `stdio`, `https` and so on.
  std::optional<std::string> revision = {};  ///< Revision of the server, if known.
  std::optional<std::string> era = {};
  std::vector<ExplainedRoute> routes = {};
  std::vector<ExplainedHeader> headers = {};  ///< Headers of the HTTP request; empty for a process.
  std::vector<ExplainedSetting> settings = {};
  std::vector<std::string> unknown = {};  ///< What could not be determined, and why.

  /// On the route to all servers.
  bool allowed() const { return routes.front().allowed; }
};

/// Explains a call. Fails if the request or the configuration is invalid. Results that depend on servers missing in
/// `known` are reported as unknown.
Result<Explained> explain(const GatewayConfig& config, const ExplainRequest& request,
                          const std::vector<KnownServer>& known, const Registry& registry, const EventLoop& loop);

}  // namespace fairlead::gateway
