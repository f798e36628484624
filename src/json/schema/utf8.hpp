#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace fairlead::json::schema {

/// Removes and returns the first code point; an invalid byte gives U+FFFD. `text` must not be empty.
char32_t consume_code_point(std::string_view& text);

std::vector<char32_t> code_points(std::string_view text);

/// Counts code points; `text` must be well-formed.
std::size_t count_code_points(std::string_view text);

}  // namespace fairlead::json::schema
