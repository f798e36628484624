#pragma once

#include <fairlead/base/clock.hpp>
#include <optional>
#include <string>

#include "gateway/observe/observer.hpp"

namespace fairlead::gateway {

/// One line about a call that has ended, as words or as JSON: who asked for what, of which server, how it ended on each
/// plane, and how long it took. Of `at_servers`, if given, that was spent there and the rest in the chain.
std::string call_line(const Sight& sight, bool json, std::optional<Duration> at_servers = {});

}  // namespace fairlead::gateway
