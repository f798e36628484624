#pragma once

#include <fairlead/base/clock.hpp>
#include <optional>

#include "gateway/observe/observer.hpp"

namespace fairlead::gateway {

/// Returns one line about a finished call, as `name=value` pairs or JSON: caller, target, server, outcome on each plane
/// and times. `at_servers` is the part of the time spent at servers.
std::string access_log_line(const CallRecord& record, bool json, std::optional<Duration> at_servers = {});

}  // namespace fairlead::gateway
