#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/result.hpp>
#include <string>
#include <string_view>

namespace fairlead {

/// `500ms`, `30s`, `2m`, `1h`; a bare number counts seconds.
Result<Duration> read_duration(std::string_view text);

/// The same in as few letters as say it exactly, to the millisecond: `90s`, `2m`, `1500ms`.
std::string write_duration(Duration duration);

}  // namespace fairlead
