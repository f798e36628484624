#pragma once

#include <string>
#include <string_view>

namespace fairlead {

/// Two lowercase hex digits for each byte.
inline std::string to_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += digits[byte / 16];
    hex += digits[byte % 16];
  }
  return hex;
}

}  // namespace fairlead
