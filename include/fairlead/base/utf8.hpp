#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fairlead {

/// Bytes of the well-formed UTF-8 character at `at` (Unicode 15, table 3-7: no surrogates, nothing overlong), or 0.
constexpr std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  if (at >= text.size()) return 0;
  const unsigned lead = byte(at);
  const unsigned second = byte(at + 1);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4 || !tail(at + 1)) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) {
    const bool in_range = (lead != 0xE0 || second >= 0xA0) && (lead != 0xED || second < 0xA0);
    return in_range && tail(at + 2) ? 3 : 0;
  }
  const bool in_range = (lead != 0xF0 || second >= 0x90) && (lead != 0xF4 || second < 0x90);
  return in_range && tail(at + 2) && tail(at + 3) ? 4 : 0;
}

constexpr bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

/// Appends the UTF-8 form of a code point.
constexpr void append_utf8(std::string& out, char32_t point) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  const auto tail = [&](int shift) { put(0x80U | ((point >> shift) & 0x3FU)); };
  if (point < 0x80) return put(point);
  if (point < 0x800) {
    put(0xC0U | (point >> 6));
  } else if (point < 0x10000) {
    put(0xE0U | (point >> 12));
    tail(6);
  } else {
    put(0xF0U | (point >> 18));
    tail(12);
    tail(6);
  }
  tail(0);
}

}  // namespace fairlead
