#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace fairlead::json {

constexpr bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// True if this character may follow a number or literal.
constexpr bool ends_scalar(char c) {
  return is_space(c) || c == ',' || c == '}' || c == ']';
}

constexpr std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

/// The end of the number at `begin` by the grammar of RFC 8259, or `begin` if there is none.
constexpr std::size_t number_end(std::string_view text, std::size_t begin) {
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
  std::size_t end = begin + (at(begin) == '-');
  if (!is_digit(at(end))) return begin;
  end = at(end) == '0' ? end + 1 : skip_digits(text, end);
  if (at(end) == '.') {
    if (!is_digit(at(end + 1))) return begin;
    end = skip_digits(text, end + 1);
  }
  if (at(end) == 'e' || at(end) == 'E') {
    const std::size_t digits = end + 1 + (at(end + 1) == '+' || at(end + 1) == '-');
    if (!is_digit(at(digits))) return begin;
    end = skip_digits(text, digits);
  }
  return end;
}

/// Sixteen bytes, and the same as two words (GCC and Clang extension, portable). Bytes beyond ASCII are negative.
using Bytes = signed char __attribute__((vector_size(16)));
using Words = std::uint64_t __attribute__((vector_size(16)));

/// The first quote or backslash from `at` on; there must be one. Inline for short strings.
std::size_t distant_quote_or_escape(std::string_view text, std::size_t at);
inline std::size_t quote_or_escape(std::string_view text, std::size_t at) {
  const auto near = std::min(at + 2 * sizeof(Bytes), text.size());
  for (Bytes bytes; at + sizeof(bytes) <= near; at += sizeof(bytes)) {
    std::memcpy(&bytes, text.data() + at, sizeof(bytes));
    const auto found = std::bit_cast<Words>((bytes == '"') | (bytes == '\\'));
    const auto first = found[0] != 0 ? found[0] : found[1];
    if (first == 0) continue;
    constexpr bool first_is_lowest = std::endian::native == std::endian::little;
    const auto zeros = first_is_lowest ? std::countr_zero(first) : std::countl_zero(first);
    return at + (found[0] != 0 ? 0 : sizeof(first)) + static_cast<std::size_t>(zeros) / 8;
  }
  if (near < text.size()) return distant_quote_or_escape(text, at);
  while (text[at] != '"' && text[at] != '\\') ++at;
  return at;
}

/// The closing quote of the string that opens at `begin` of a valid text.
inline std::size_t closing_quote(std::string_view text, std::size_t begin) {
  auto at = quote_or_escape(text, begin + 1);
  while (text[at] == '\\') at = quote_or_escape(text, at + 2);
  return at;
}

/// The nearest double to a JSON number; infinite or zero if it is out of range.
double to_double(std::string_view number);

/// Reads four hexadecimal digits; returns false for other characters.
bool read_hex4(const char* digits, std::uint32_t& unit);

/// Unescapes the content of a valid JSON string (without its quotes).
std::string unescape(std::string_view inside);
void append_unescaped(std::string& out, std::string_view inside);

}  // namespace fairlead::json
