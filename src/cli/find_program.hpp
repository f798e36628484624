#pragma once

#include <string>

namespace fairlead::cli {

/// Where a command would be found: a name in PATH, a path as it is. Empty if nowhere.
std::string find_program(const std::string& name);

}  // namespace fairlead::cli
