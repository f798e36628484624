#pragma once

#include <fairlead/base/result.hpp>
#include <string>

namespace fairlead::cli {

/// An error as people read it: what happened and, where the command has an option for it, what to pass.
std::string explained(const Error& error);

/// Whether a gateway has refused the call, and not the server behind it.
bool is_from_gateway(const Error& error);

}  // namespace fairlead::cli
