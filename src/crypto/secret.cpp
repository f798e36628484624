#include "crypto/secret.hpp"

#include <openssl/crypto.h>

namespace fairlead::crypto {

bool equal_in_constant_time(std::string_view left, std::string_view right) {
  return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

void wipe(std::span<std::uint8_t> bytes) {
  OPENSSL_cleanse(bytes.data(), bytes.size());
}
void wipe(std::string& text) {
  OPENSSL_cleanse(text.data(), text.size());
}

}  // namespace fairlead::crypto
