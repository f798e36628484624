#pragma once

#include <exception>
#include <string>

namespace fairlead {

/// True for the exception (`operation_aborted`) by which Asio ends a cancelled coroutine.
bool is_cancelled(const std::exception_ptr& failure);

/// The exception's what(), for a log line.
std::string describe(const std::exception_ptr& failure);

}  // namespace fairlead
