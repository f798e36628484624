#pragma once

#include "config/diagnostics.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// Checks the keys, certificates and folders that a configuration names.
void validate_files(const GatewayConfig& config, const config::Sources& sources, config::Diagnostics& diagnostics);

}  // namespace fairlead::gateway
