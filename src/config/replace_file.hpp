#pragma once

#include <fairlead/base/result.hpp>
#include <string_view>

namespace fairlead::config {

/// Replaces a file atomically. Keeps its permissions; a symbolic link stays a link. A new file is readable by its owner
/// only, because it may contain secrets.
Result<void> replace_file(const std::string& path, std::string_view text);

}  // namespace fairlead::config
