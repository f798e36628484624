#pragma once

#include "gateway/config/config.hpp"
#include "gateway/config/problems.hpp"

namespace fairlead::gateway {

/// Looks at what a configuration names on disk: keys, certificates and folders.
void check_files(const GatewayConfig& config, const Sources& sources, Problems& problems);

}  // namespace fairlead::gateway
