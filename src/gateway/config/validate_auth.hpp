#pragma once

#include "config/diagnostics.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// Checks `servers.<name>.auth` and `vault`.
void validate_auth(const GatewayConfig& config, const config::Sources& sources, config::Diagnostics& diagnostics);

}  // namespace fairlead::gateway
