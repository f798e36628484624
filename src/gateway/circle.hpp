#pragma once

#include <fairlead/base/result.hpp>
#include <string>

#include "gateway/config/config.hpp"

/// By what a gateway notices that requests, or the processes that it starts, go round in a circle.
namespace fairlead::gateway {

/// By which a gateway tells its children who started them, in case one of them is a gateway that leads back here.
constexpr auto passed_by = "FAIRLEAD_VIA";
/// And what tells of their configurations.
constexpr auto started_by = "FAIRLEAD_STARTED_BY";

/// A name that no other gateway has.
std::string unmistakable_name();

/// What `us` adds to `Via`: its name, and those that have started it.
std::string via_of(const std::string& us);

/// What children of this configuration are told in `started_by`. An error if one with the same servers has started this
/// one: each would start another without end.
Result<std::string> told_to_children(const GatewayConfig& config);

}  // namespace fairlead::gateway
