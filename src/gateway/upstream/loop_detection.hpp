#pragma once

#include <fairlead/base/result.hpp>

#include "gateway/config/config.hpp"

/// Detects gateways that are their own upstream, over HTTP (`Via`) or by starting each other as child processes.
namespace fairlead::gateway {

/// Environment variable with the `Via` chain of the gateways that started this process.
constexpr auto via_env = "FAIRLEAD_VIA";
/// Environment variable with markers of the configurations of these gateways.
constexpr auto started_by_env = "FAIRLEAD_STARTED_BY";

/// A unique name for this gateway in `Via` headers.
std::string make_instance_id();

/// The `Via` entry of this gateway, followed by the gateways that started it.
std::string via_header(const std::string& instance_id);

/// The value of `started_by_env` for child processes. Fails if a gateway with the same servers has started this one:
/// each would start another without end.
Result<std::string> child_marker(const GatewayConfig& config);

}  // namespace fairlead::gateway
