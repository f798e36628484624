#include "gateway/config/diff.hpp"

namespace fairlead::gateway {
namespace {

std::vector<std::string> names_also_in(const GatewayConfig& config, const GatewayConfig& other) {
  std::vector<std::string> names;
  for (const auto& server : config.servers) {
    if (other.find(server.name)) names.push_back(server.name);
  }
  return names;
}

// Compares the settings that have no flag in `ConfigDiff`.
bool rest_differs(GatewayConfig before, GatewayConfig after) {
  for (auto* config : {&before, &after}) {
    config->servers.clear();
    config->listen = {};
    config->chain.clear();
  }
  return before != after;
}

}  // namespace

Difference diff(const GatewayConfig& before, const GatewayConfig& after) {
  Difference difference;
  for (const auto& server : before.servers) {
    if (!after.find(server.name)) difference.removed.push_back(server.name);
  }
  for (const auto& server : after.servers) {
    const auto* known = before.find(server.name);
    auto& list = !known ? difference.added : *known == server ? difference.same : difference.changed;
    list.push_back(server.name);
  }
  difference.order = names_also_in(before, after) != names_also_in(after, before);
  difference.listen = before.listen != after.listen;
  difference.chain = before.chain != after.chain;
  difference.rest = rest_differs(before, after);
  return difference;
}

}  // namespace fairlead::gateway
