#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fairlead::protocol {

/// The canonical form of a JSON text: members sorted, no white space, equal numbers written equally. Omits the
/// outermost members named in `without`. Returns nothing if `text` is not JSON.
std::optional<std::string> canonical_json(std::string_view text, std::span<const std::string_view> without = {});

}  // namespace fairlead::protocol
