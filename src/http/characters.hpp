#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fairlead::http {

/// What a byte may be part of, by RFC 9110, section 5.
namespace character {
inline constexpr std::uint8_t token = 1;
inline constexpr std::uint8_t field = 2;   ///< Of a field's value: visible, space, tab, or beyond ASCII.
inline constexpr std::uint8_t target = 4;  ///< Visible ASCII, but the fragment that no request carries.
}  // namespace character

inline constexpr auto character_table = [] {
  std::array<std::uint8_t, 256> table{};
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  for (unsigned c = 0; c < 256; ++c) {
    const bool alphanumeric = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    const bool is_token = alphanumeric || (c < 128 && marks.find(static_cast<char>(c)) != std::string_view::npos);
    const bool is_field = c == '\t' || (c >= ' ' && c != 127);
    const bool is_target = c > ' ' && c < 127 && c != '#';
    table[c] = static_cast<std::uint8_t>((is_token ? character::token : 0) | (is_field ? character::field : 0) |
                                         (is_target ? character::target : 0));
  }
  return table;
}();

constexpr bool consists_of(std::string_view text, std::uint8_t kind) {
  std::uint8_t common = kind;
  for (const char c : text) common &= character_table[static_cast<unsigned char>(c)];
  return common != 0;
}

}  // namespace fairlead::http
