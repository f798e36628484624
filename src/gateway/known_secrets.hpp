#pragma once

#include <string>
#include <vector>

#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// Values that must not leave the gateway: what servers get in their environment and in headers, and what they inherit
/// of ours under a name that tells of a secret.
std::vector<std::string> known_secrets(const GatewayConfig& config);

/// Of those, the ones that every line of a log can go without: of the environment no `true`, `8080` or `/usr/bin`.
std::vector<std::string> secrets_in_logs(const GatewayConfig& config);

}  // namespace fairlead::gateway
