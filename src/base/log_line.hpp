#pragma once

#include <fairlead/base/log_sinks.hpp>

namespace fairlead {

/// "2025-01-31T12:00:00.000Z warning component: message\n", escaped, with the current time.
std::string log_line(LogTime time, LogLevel level, std::string_view component, std::string_view message);

/// Writes all of `line`, if possible in one call. Returns false with errno set if only `*written` bytes were written.
bool write_all(int descriptor, std::string_view line, std::size_t* written);

}  // namespace fairlead
