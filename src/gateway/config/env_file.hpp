#pragma once

#include <map>
#include <string>

#include "gateway/config/read_context.hpp"

namespace fairlead::gateway {

/// Reads `NAME=value`, `export NAME="value"` and `# remark` lines from the file that `ref` names. Does not replace
/// values that `into` already has.
void read_env_file(ReadContext& context, const NodeRef& ref, std::map<std::string, std::string>& into);

}  // namespace fairlead::gateway
