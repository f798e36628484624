#pragma once

#include <string>

#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// Says on stderr where the gateway is, and what to give to a client. `url` is empty without HTTP.
void announce(const gateway::GatewayConfig& config, const std::string& url);

}  // namespace fairlead::cli
