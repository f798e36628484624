#pragma once

#include <charconv>
#include <string>
#include <string_view>

namespace fairlead::crypto {

/// The bytes that published test vectors write in hex.
inline std::string hex_bytes(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned char byte = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

}  // namespace fairlead::crypto
