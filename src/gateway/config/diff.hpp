#pragma once

#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// Changes between two configurations, for a reload.
struct Difference {
  std::vector<std::string> added = {};    ///< Server names in the order of the new configuration.
  std::vector<std::string> removed = {};  ///< In the order of the old configuration.
  std::vector<std::string> changed = {};
  std::vector<std::string> same = {};
  bool order = false;   ///< Order of the servers that stay.
  bool listen = false;  ///< Listener settings.
  bool chain = false;   ///< The common chain.
  bool rest = false;    ///< Any other setting.

  bool none() const {
    return added.empty() && removed.empty() && changed.empty() && !order && !listen && !chain && !rest;
  }
};

Difference diff(const GatewayConfig& before, const GatewayConfig& after);

}  // namespace fairlead::gateway
