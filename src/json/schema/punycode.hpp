#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace fairlead::json::schema {

/// RFC 3492, what comes after `xn--`.
std::optional<std::vector<char32_t>> punycode_decoded(std::string_view text);

/// How long the encoding of a label is.
std::size_t punycode_length(const std::vector<char32_t>& points);

}  // namespace fairlead::json::schema
