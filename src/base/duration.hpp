#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/result.hpp>
#include <string_view>

namespace fairlead {

/// Parses `500ms`, `30s`, `2m`, `1h`; a number without a unit is in seconds.
Result<Duration> read_duration(std::string_view text);

/// Formats a duration in the largest unit that is exact, in milliseconds at the finest: `90s`, `2m`, `1500ms`.
std::string write_duration(Duration duration);

}  // namespace fairlead
