#pragma once

#include <map>
#include <string>

#include "gateway/config/reading.hpp"

namespace fairlead::gateway {

/// Lines like `NAME=value`, `export NAME="value"` and `# remark` from the file that `place` names. What `into` has
/// already is stronger.
void read_env_file(Reading& reading, const Place& place, std::map<std::string, std::string>& into);

}  // namespace fairlead::gateway
