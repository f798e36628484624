#pragma once

#include "config/diagnostics.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// Checks values that contradict or depend on each other.
void validate(const GatewayConfig& config, const config::Sources& sources, config::Diagnostics& diagnostics);

}  // namespace fairlead::gateway
