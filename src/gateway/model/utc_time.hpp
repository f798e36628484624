#pragma once

#include <chrono>
#include <string>

namespace fairlead::gateway {

/// Formats a time as `2026-11-16T17:04:05Z`, or with milliseconds as `2026-11-16T17:04:05.120Z`.
std::string utc_text(std::chrono::system_clock::time_point time);
std::string utc_text_milliseconds(std::chrono::system_clock::time_point time);

}  // namespace fairlead::gateway
