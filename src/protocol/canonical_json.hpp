#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fairlead::protocol {

/// One text for all JSON texts of the same meaning: members sorted, no white space, equal numbers written equally.
/// Leaves out the outermost members named in `without`; nothing if `text` is not JSON.
std::optional<std::string> canonical_json(std::string_view text, std::span<const std::string_view> without = {});

}  // namespace fairlead::protocol
