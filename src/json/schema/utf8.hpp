#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::json::schema {

/// Takes the first code point off `text`; a byte that begins none counts as U+FFFD. `text` is not empty.
char32_t take_code_point(std::string_view& text);

std::vector<char32_t> code_points(std::string_view text);

/// As a person counts: `text` is taken to be well-formed.
std::size_t count_code_points(std::string_view text);

}  // namespace fairlead::json::schema
