#pragma once

#include <string>

namespace fairlead::answer {

/// Removes a variable from the environment of this process and returns its value. Overwrites the memory of the value,
/// so that `/proc/<pid>/environ` does not show it. Call before other threads start.
std::string consume_variable(const std::string& name);

}  // namespace fairlead::answer
