#pragma once

#include "gateway/config/config.hpp"
#include "gateway/config/problems.hpp"

namespace fairlead::gateway {

/// What only the whole can show: values that contradict or need each other.
void check(const GatewayConfig& config, const Sources& sources, Problems& problems);

}  // namespace fairlead::gateway
