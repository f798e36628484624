#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/result.hpp>
#include <string_view>

namespace fairlead::cli {

/// `500ms`, `30s`, `2m`, `1h`; a bare number counts seconds.
Result<Duration> read_duration(std::string_view text);

}  // namespace fairlead::cli
