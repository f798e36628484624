#pragma once

#include <fairlead/base/result.hpp>

namespace fairlead::cli {

/// An error as shown to the user. Names an option of the command that may help.
std::string error_text(const Error& error);

/// Whether a gateway rejected the call, not the server behind it.
bool is_gateway_error(const Error& error);

}  // namespace fairlead::cli
