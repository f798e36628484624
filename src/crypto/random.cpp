#include "crypto/random.hpp"

#include <algorithm>
#include <stdexcept>
#include <unistd.h>

namespace fairlead::crypto {

// From the kernel instead of OpenSSL: the first random byte initialises all of OpenSSL, 3 MB that a program without TLS
// does not need.
bool fill_random(std::span<std::uint8_t> bytes) {
  constexpr std::size_t most_at_once = 256;
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), most_at_once));
    if (::getentropy(piece.data(), piece.size()) != 0) return false;
    bytes = bytes.subspan(piece.size());
  }
  return true;
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (!fill_random({reinterpret_cast<std::uint8_t*>(bytes.data()), count})) {
    throw std::runtime_error("the system has no random bytes");
  }
  return bytes;
}

}  // namespace fairlead::crypto
