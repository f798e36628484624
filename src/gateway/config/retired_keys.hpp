#pragma once

#include <optional>
#include <string_view>

namespace fairlead::gateway {

/// Returns the new name of a key of version 0.1 that was renamed; nothing for any other key. `scope` is the map that
/// holds the key ("" for the root), the middleware whose argument it is, or "tap" for a filter.
std::optional<std::string_view> renamed_key(std::string_view scope, std::string_view key);

}  // namespace fairlead::gateway
