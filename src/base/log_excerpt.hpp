#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fairlead {

/// Bytes of a message or body that the debug log shows.
inline constexpr std::size_t max_logged_text = 16 * 1024;

/// Truncates a long text and appends its full length.
inline std::string log_excerpt(std::string_view text) {
  if (text.size() <= max_logged_text) return std::string(text);
  return std::string(text.substr(0, max_logged_text)) + "... (" + std::to_string(text.size()) + " bytes)";
}

}  // namespace fairlead
