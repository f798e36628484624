#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace fairlead::ascii {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr bool is_alphanumeric(char c) {
  return is_letter(c) || is_digit(c);
}

constexpr bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// The value of a hexadecimal digit, -1 for another character.
constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (!is_hex(c)) return -1;
  return (c | 0x20) - 'a' + 10;
}

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

constexpr bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

/// Removes the prefix `text` if present; returns whether it was.
constexpr bool consume(std::string_view& from, std::string_view text) {
  if (!from.starts_with(text)) return false;
  from.remove_prefix(text.size());
  return true;
}

/// Removes and returns the longest prefix of characters that satisfy `fits`.
template <class Fits>
constexpr std::string_view consume_while(std::string_view& from, Fits fits) {
  const auto end = std::ranges::find_if_not(from, fits);
  const auto taken = from.substr(0, static_cast<std::size_t>(end - from.begin()));
  from.remove_prefix(taken.size());
  return taken;
}

}  // namespace fairlead::ascii
