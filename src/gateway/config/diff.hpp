#pragma once

#include <string>
#include <vector>

#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// What a reload has to do.
struct Difference {
  std::vector<std::string> added = {};    ///< Servers, by name, as the new configuration lists them.
  std::vector<std::string> removed = {};  ///< As the old one did.
  std::vector<std::string> changed = {};
  std::vector<std::string> same = {};
  bool order = false;   ///< The servers that stay are listed in another order.
  bool listen = false;  ///< Clients come in elsewhere or otherwise.
  bool chain = false;   ///< The chain in front of all servers.
  bool rest = false;    ///< Anything else.

  bool none() const {
    return added.empty() && removed.empty() && changed.empty() && !order && !listen && !chain && !rest;
  }
};

Difference diff(const GatewayConfig& before, const GatewayConfig& after);

}  // namespace fairlead::gateway
