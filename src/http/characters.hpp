#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
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

constexpr bool is_of(char c, std::uint8_t kind) {
  return (character_table[static_cast<unsigned char>(c)] & kind) != 0;
}

constexpr bool consists_of(std::string_view text, std::uint8_t kind) {
  std::uint8_t common = kind;
  for (const char c : text) common &= character_table[static_cast<unsigned char>(c)];
  return common != 0;
}

/// Where, from `at` on, the first byte is that no field's value may hold: at the latest the end of its line.
inline std::size_t field_end(std::string_view text, std::size_t at) {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = ones * 0x80;
  while (true) {
    // Eight bytes at a time while none of them is below a space, or 127.
    for (std::uint64_t word = 0; at + sizeof(word) <= text.size(); at += sizeof(word)) {
      std::memcpy(&word, text.data() + at, sizeof(word));
      const auto deletes = word ^ ones * 0x7f;
      if ((((word - ones * 0x20) & ~word) | ((deletes - ones) & ~deletes)) & tops) break;
    }
    const auto stop = std::min(at + sizeof(std::uint64_t), text.size());
    for (; at < stop; ++at) {
      if (!is_of(text[at], character::field)) return at;
    }
    if (at == text.size()) return at;
  }
}

}  // namespace fairlead::http
