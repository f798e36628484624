#include "crypto/digest.hpp"

#include <openssl/sha.h>

#include "base/hex.hpp"

namespace fairlead::crypto {

// Deprecated functions of OpenSSL: their replacements load a provider, 3 MB that a program without TLS does not need.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

std::string sha256(std::string_view bytes) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256_CTX hash;
  SHA256_Init(&hash);
  SHA256_Update(&hash, bytes.data(), bytes.size());
  SHA256_Final(reinterpret_cast<unsigned char*>(digest.data()), &hash);
  return digest;
}

std::string sha1(std::string_view bytes) {
  std::string digest(SHA_DIGEST_LENGTH, '\0');
  SHA_CTX hash;
  SHA1_Init(&hash);
  SHA1_Update(&hash, bytes.data(), bytes.size());
  SHA1_Final(reinterpret_cast<unsigned char*>(digest.data()), &hash);
  return digest;
}

#pragma GCC diagnostic pop

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  constexpr std::size_t block = 64;
  std::string padded = key.size() > block ? sha256(key) : std::string(key);
  padded.resize(block, '\0');
  std::string inner = padded;
  std::string outer = padded;
  for (auto& c : inner) c = static_cast<char>(c ^ 0x36);
  for (auto& c : outer) c = static_cast<char>(c ^ 0x5c);
  return sha256(outer + sha256(inner.append(bytes)));
}

std::string sha256_hex(std::string_view bytes) {
  return to_hex(sha256(bytes));
}

bool is_sha256_hex(std::string_view text) {
  constexpr std::size_t digits = 64;
  return text.size() == digits && std::ranges::all_of(text, ascii::is_hex);
}

}  // namespace fairlead::crypto
