#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::gateway {

/// `*` matches any characters, `?` one character.
bool glob_matches(std::string_view pattern, std::string_view text);

bool any_matches(const std::vector<std::string>& patterns, std::string_view text);

/// The text matched by the single `*` of a pattern; "" for a pattern without one.
std::optional<std::string_view> glob_rest(std::string_view pattern, std::string_view text);

}  // namespace fairlead::gateway
