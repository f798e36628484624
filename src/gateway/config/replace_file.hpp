#pragma once

#include <fairlead/base/result.hpp>
#include <string>
#include <string_view>

namespace fairlead::gateway {

/// Puts a text in the place of a file, all at once: whoever reads it sees the old one or the new one. The file keeps
/// its permissions and, if it is a link, stays one. A new file is for its owner only, as it may hold secrets.
Result<void> replace_file(const std::string& path, std::string_view text);

}  // namespace fairlead::gateway
