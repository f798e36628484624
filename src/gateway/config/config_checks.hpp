#pragma once

#include "config/diagnostics.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// What checks of a whole configuration share. The arguments outlive it.
class ConfigChecks {
 public:
  ConfigChecks(const GatewayConfig& config, const config::Sources& sources, config::Diagnostics& diagnostics)
      : config_(config), sources_(sources), diagnostics_(diagnostics) {}

 protected:
  /// Adds an error about the value at a canonical path. Unreadable values have their own error.
  void error(const std::string& key_path, std::string_view message) {
    if (diagnostics_.is_invalid(key_path)) return;
    const auto* from = sources_.find_nearest(key_path);
    const bool exact = from && sources_.find(key_path) == from && !from->path.empty();
    diagnostics_.add(from ? *from : config::Source{}, exact ? from->path : key_path, message);
  }

  /// Calls `check(server, key_path)` for each server.
  template <class Check>
  void each_server(Check check) {
    for (const auto& server : config_.servers) check(server, config::below("servers", server.name));
  }

  const GatewayConfig& config_;
  const config::Sources& sources_;
  config::Diagnostics& diagnostics_;
};

}  // namespace fairlead::gateway
