#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fairlead {

/// How much of a message or body the debug log shows, in bytes.
inline constexpr std::size_t max_logged_text = 16 * 1024;

/// The text, or its beginning and how long all of it is.
inline std::string log_excerpt(std::string_view text) {
  if (text.size() <= max_logged_text) return std::string(text);
  return std::string(text.substr(0, max_logged_text)) + "... (" + std::to_string(text.size()) + " bytes)";
}

}  // namespace fairlead
