#include "gateway/config/config.hpp"

#include <algorithm>

namespace fairlead::gateway {

ServerConfig* GatewayConfig::find(std::string_view name) {
  const auto found = std::ranges::find(servers, name, &ServerConfig::name);
  return found == servers.end() ? nullptr : &*found;
}

const ServerConfig* GatewayConfig::find(std::string_view name) const {
  const auto found = std::ranges::find(servers, name, &ServerConfig::name);
  return found == servers.end() ? nullptr : &*found;
}

}  // namespace fairlead::gateway
