#pragma once

#include "gateway/config/config.hpp"
#include "gateway/config/diagnostics.hpp"

namespace fairlead::gateway {

/// Checks values that contradict or depend on each other.
void validate(const GatewayConfig& config, const Sources& sources, Diagnostics& diagnostics);

}  // namespace fairlead::gateway
