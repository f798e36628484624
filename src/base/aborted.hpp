#pragma once

#include <exception>
#include <string>

namespace fairlead {

/// Whether this is how Asio ends a coroutine that was cancelled.
bool is_aborted(const std::exception_ptr& failure);

/// The exception's own words, for a log.
std::string describe(const std::exception_ptr& failure);

}  // namespace fairlead
