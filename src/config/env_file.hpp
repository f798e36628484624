#pragma once

#include <map>

#include "config/read_context.hpp"

namespace fairlead::config {

/// Reads `NAME=value`, `export NAME="value"` and `# remark` lines from the file that `ref` names. Does not replace
/// values that `into` already has. `key_path` is the canonical path of `into`.
void read_env_file(ReadContext& context, const NodeRef& ref, const std::string& key_path,
                   std::map<std::string, std::string>& into);

}  // namespace fairlead::config
