#pragma once

#include <optional>
#include <string>

#include "base/ascii.hpp"

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

/// The bytes of hex digits in any case; nothing if `hex` contains anything else.
inline std::optional<std::string> from_hex(std::string_view hex) {
  if (hex.size() % 2 != 0 || !std::ranges::all_of(hex, ascii::is_hex)) return std::nullopt;
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(ascii::hex_digit(hex[i]) * 16 + ascii::hex_digit(hex[i + 1]));
  }
  return bytes;
}

}  // namespace fairlead
