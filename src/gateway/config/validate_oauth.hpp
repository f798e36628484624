#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// Checks `listen.oauth` and the chains that it restricts. Calls `error(key_path, message)` for each fault.
void check_oauth(const GatewayConfig& config,
                 const std::function<void(const std::string& key_path, std::string_view message)>& error);

}  // namespace fairlead::gateway
