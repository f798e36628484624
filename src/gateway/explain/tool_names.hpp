#pragma once

#include <map>

#include "gateway/aggregate/naming.hpp"
#include "gateway/explain/explain.hpp"
#include "gateway/explain/explain_run.hpp"

namespace fairlead::gateway {

/// The enabled servers of a configuration with their chains and known tools.
class ExplainedToolNames {
 public:
  static Result<ExplainedToolNames> make(const GatewayConfig& config, const std::vector<KnownServer>& known,
                                         const Registry& registry, const EventLoop& loop);

  const BuiltChain& common() const { return common_; }
  const BuiltChain& chain_of(const std::string& server) const { return chains_.at(server); }
  const KnownServer* known(std::string_view server) const;
  /// Null if the tool is unknown.
  const ListItem* tool_of(std::string_view server, std::string_view tool) const;

  /// The server's own name of a tool; `tool` itself if unknown.
  std::string own_name(const std::string& server, const std::string& tool) const;

  /// Client name of a server's tool behind the common chain: on the route to all servers, and on the server's own
  /// route.
  ClientName among_all(const std::string& server, const std::string& own) const;
  ClientName alone(const std::string& server, const std::string& own) const;
  /// True if all servers are known, so that name clashes are known too.
  bool complete() const;

 private:
  std::vector<UpstreamNames> inside_names(const std::string& server, const std::string& own) const;
  bool is_hidden(const std::string& server, const ListItem& tool) const;
  ClientName found(const std::vector<UpstreamNames>& inside, const std::string& server, const std::string& name) const;

  const GatewayConfig* config_ = nullptr;
  const std::vector<KnownServer>* known_ = nullptr;
  BuiltChain common_;
  std::map<std::string, BuiltChain> chains_;
};

/// Params of a tool call.
json::Payload params_of_call(std::string_view tool, std::string_view arguments);

}  // namespace fairlead::gateway
