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

enum class HeaderMatch : std::uint8_t { no, maybe, yes };

/// Whether `text` starts with a Content-Length header; `maybe` if more bytes are needed.
HeaderMatch match_header(std::string_view text);

/// Text after `Content-Length:`; null if the line is something else.
const char* count_value(std::string_view line);

/// True if `text` is one JSON object or array with optional trailing white space.
bool is_whole_value(std::string_view text);

/// Size of a value that is followed on the same line by the header of the next message, as with a damaged header; 0
/// otherwise.
std::size_t size_before_header(std::string_view line);

}  // namespace fairlead::transport
