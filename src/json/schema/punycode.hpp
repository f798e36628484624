#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace fairlead::json::schema {

/// Decodes the part after `xn--` (RFC 3492).
std::optional<std::vector<char32_t>> punycode_decoded(std::string_view text);

/// The length of a label's encoding.
std::size_t punycode_length(const std::vector<char32_t>& points);

}  // namespace fairlead::json::schema
