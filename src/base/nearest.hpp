#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fairlead {

/// The name that somebody who wrote `word` most likely meant; nothing if none comes close.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> names);

}  // namespace fairlead
