#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fairlead::transport {

inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

inline bool opens_value(char c) {
  return c == '{' || c == '[';
}

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

enum class Sniff : std::uint8_t { no, maybe, yes };

/// Whether `text` starts with a header that announces a counted message; `maybe` until enough of it is there.
Sniff sniff_header(std::string_view text);

/// What follows `Content-Length:` on this line; null where the line says something else.
const char* count_value(std::string_view line);

/// Whether `text` is one JSON object or array, but for white space behind it.
bool is_whole_value(std::string_view text);

/// The size of a value that stands on one line with the next message's header, as when its own header was damaged;
/// 0 for any other line.
std::size_t size_before_header(std::string_view line);

}  // namespace fairlead::transport
