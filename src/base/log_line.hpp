#pragma once

#include <fairlead/base/log_sinks.hpp>
#include <string>
#include <string_view>

namespace fairlead {

/// "2025-01-31T12:00:00.000Z warning component: message\n", escaped; the time is the present.
std::string log_line(LogTime time, LogLevel level, std::string_view component, std::string_view message);

/// Writes all of `line`, in one call if the descriptor takes it. False, with errno set, if some of it was not written;
/// `*written` says how much was.
bool write_all(int descriptor, std::string_view line, std::size_t* written);

}  // namespace fairlead
