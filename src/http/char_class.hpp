#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace fairlead::http {

/// Character classes of RFC 9110, section 5.
namespace char_class {
inline constexpr std::uint8_t token = 1;
inline constexpr std::uint8_t field = 2;   ///< Allowed in a field value: visible, space, tab, or non-ASCII.
inline constexpr std::uint8_t target = 4;  ///< Allowed in a request target: visible ASCII except `#`.
}  // namespace char_class

inline constexpr auto character_table = [] {
  std::array<std::uint8_t, 256> table{};
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  for (unsigned c = 0; c < 256; ++c) {
    const bool alphanumeric = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    const bool is_token = alphanumeric || (c < 128 && marks.find(static_cast<char>(c)) != std::string_view::npos);
    const bool is_field = c == '\t' || (c >= ' ' && c != 127);
    const bool is_target = c > ' ' && c < 127 && c != '#';
    table[c] = static_cast<std::uint8_t>((is_token ? char_class::token : 0) | (is_field ? char_class::field : 0) |
                                         (is_target ? char_class::target : 0));
  }
  return table;
}();

constexpr bool is_of(char c, std::uint8_t kind) {
  return (character_table[static_cast<unsigned char>(c)] & kind) != 0;
}

/// Position of the first byte from `at` on that is not of this kind.
constexpr std::size_t end_of(std::string_view text, std::size_t at, std::uint8_t kind) {
  const auto kinds = [text](std::size_t i) { return character_table[static_cast<unsigned char>(text[i])]; };
  while (at + 4 <= text.size() && (kinds(at) & kinds(at + 1) & kinds(at + 2) & kinds(at + 3) & kind) != 0) at += 4;
  while (at < text.size() && is_of(text[at], kind)) ++at;
  return at;
}

constexpr bool consists_of(std::string_view text, std::uint8_t kind) {
  return end_of(text, 0, kind) == text.size();
}

/// As `end_of` for the bytes of a field value, but faster for long texts.
inline std::size_t field_end(std::string_view text, std::size_t at) {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = ones * 0x80;
  for (std::uint64_t word = 0; at + sizeof(word) <= text.size(); at += sizeof(word)) {
    std::memcpy(&word, text.data() + at, sizeof(word));
    if constexpr (std::endian::native == std::endian::big) word = std::byteswap(word);
    const auto deletes = word ^ ones * 0x7f;
    const auto controls = (((word - ones * 0x20) & ~word) | ((deletes - ones) & ~deletes)) & tops;
    if (controls == 0) continue;
    // The lowest bit is exact; a borrow can set those above.
    at += static_cast<std::size_t>(std::countr_zero(controls)) / 8;
    if (!is_of(text[at], char_class::field)) return at;
    at -= sizeof(word) - 1;  // A tab: continues after it.
  }
  return end_of(text, at, char_class::field);
}

}  // namespace fairlead::http
