#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::gateway {

/// `*` stands for any run of characters, `?` for one of them; all else for itself.
bool glob_matches(std::string_view pattern, std::string_view text);

bool any_matches(const std::vector<std::string>& patterns, std::string_view text);

/// What the only `*` of a pattern stands for in a text that it matches; "" for a pattern without one.
std::optional<std::string_view> glob_rest(std::string_view pattern, std::string_view text);

}  // namespace fairlead::gateway
