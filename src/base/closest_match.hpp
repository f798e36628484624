#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fairlead {

/// Damerau-Levenshtein distance: the number of replaced, added, removed or transposed letters. Quadratic time and
/// memory.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name with the smallest edit distance to `word`; nothing if none is close. For "did you mean" hints.
std::optional<std::string> closest_match(std::string_view word, std::span<const std::string> names);

}  // namespace fairlead
