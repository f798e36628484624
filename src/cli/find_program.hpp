#pragma once

#include <string>

namespace fairlead::cli {

/// Path of a program: searches PATH for a name, checks a path. Empty if not found.
std::string find_program(const std::string& name);

}  // namespace fairlead::cli
