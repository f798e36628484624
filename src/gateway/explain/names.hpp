#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/explain/explain.hpp"
#include "gateway/explain/walk.hpp"
#include "gateway/merge/naming.hpp"

namespace fairlead::gateway {

/// The servers of a configuration that are not switched off, their chains, and what is known of their tools.
class ExplainedNames {
 public:
  static Result<ExplainedNames> make(const GatewayConfig& config, const std::vector<KnownServer>& known,
                                     const Registry& registry, const Loop& loop);

  const MadeChain& common() const { return common_; }
  const MadeChain& chain_of(const std::string& server) const { return chains_.at(server); }
  const KnownServer* known(std::string_view server) const;
  /// Null where the tool is not known.
  const ListItem* tool_of(std::string_view server, std::string_view tool) const;

  /// What the server itself calls a tool that people call `tool`; as it is if nobody knows.
  std::string own_name(const std::string& server, const std::string& tool) const;

  /// What a tool of the server's is called behind the common chain: among all servers, and where it is alone.
  OutsideName among_all(const std::string& server, const std::string& own) const;
  OutsideName alone(const std::string& server, const std::string& own) const;
  /// Whether all servers were asked, so that names which clash are known.
  bool complete() const;

 private:
  std::vector<InsideNames> inside_names(const std::string& server, const std::string& own) const;
  bool is_hidden(const std::string& server, const ListItem& tool) const;
  OutsideName found(const std::vector<InsideNames>& inside, const std::string& server, const std::string& name) const;

  const GatewayConfig* config_ = nullptr;
  const std::vector<KnownServer>* known_ = nullptr;
  MadeChain common_;
  std::map<std::string, MadeChain> chains_;
};

/// The params of a call of a tool.
json::Payload params_of_call(std::string_view tool, std::string_view arguments);

}  // namespace fairlead::gateway
