#pragma once

#include "gateway/config/config.hpp"
#include "gateway/config/diagnostics.hpp"

namespace fairlead::gateway {

/// Checks the keys, certificates and folders that a configuration names.
void validate_files(const GatewayConfig& config, const Sources& sources, Diagnostics& diagnostics);

}  // namespace fairlead::gateway
