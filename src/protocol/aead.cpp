#include "protocol/aead.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdexcept>
#include <unistd.h>

namespace fairlead::protocol {
namespace {

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

unsigned char* bytes_of(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}
const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// OpenSSL counts in int.
int length_of(std::string_view text) {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw std::length_error("a sealed state is limited to 2 GiB");
  }
  return static_cast<int>(text.size());
}

void require(bool done) {
  if (!done) throw std::runtime_error("OpenSSL cannot encrypt: is AES-256-GCM disabled here?");
}

}  // namespace

std::string encrypt(const AeadKey& key, std::string_view plain, std::string_view associated) {
  std::string out(nonce_size + plain.size() + tag_size, '\0');
  unsigned char* nonce = bytes_of(out);
  unsigned char* body = nonce + nonce_size;
  unsigned char* tag = body + plain.size();
  require(fill_random({nonce, nonce_size}));
  const Context context(EVP_CIPHER_CTX_new());
  int written = 0;
  require(context && EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.data(), nonce) == 1);
  require(EVP_EncryptUpdate(context.get(), nullptr, &written, bytes_of(associated), length_of(associated)) == 1);
  require(EVP_EncryptUpdate(context.get(), body, &written, bytes_of(plain), length_of(plain)) == 1);
  require(EVP_EncryptFinal_ex(context.get(), tag, &written) == 1);
  require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, tag_size, tag) == 1);
  return out;
}

std::optional<std::string> decrypt(const AeadKey& key, std::string_view sealed, std::string_view associated) {
  if (sealed.size() < nonce_size + tag_size) return std::nullopt;
  const std::string_view body = sealed.substr(nonce_size, sealed.size() - nonce_size - tag_size);
  std::string tag(sealed.substr(sealed.size() - tag_size));
  std::string plain(body.size(), '\0');
  const Context context(EVP_CIPHER_CTX_new());
  int written = 0;
  // The final call compares the tags, in constant time.
  const bool genuine =
      context && EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.data(), bytes_of(sealed)) == 1 &&
      EVP_DecryptUpdate(context.get(), nullptr, &written, bytes_of(associated), length_of(associated)) == 1 &&
      EVP_DecryptUpdate(context.get(), bytes_of(plain), &written, bytes_of(body), length_of(body)) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, tag_size, tag.data()) == 1 &&
      EVP_DecryptFinal_ex(context.get(), bytes_of(tag), &written) == 1;
  if (genuine) return plain;
  wipe(plain);
  return std::nullopt;
}

// From the kernel instead of OpenSSL: the first random byte or digest initialises all of OpenSSL, 3 MB that a program
// without TLS does not need.
bool fill_random(std::span<std::uint8_t> bytes) {
  constexpr std::size_t most_at_once = 256;
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), most_at_once));
    if (::getentropy(piece.data(), piece.size()) != 0) return false;
    bytes = bytes.subspan(piece.size());
  }
  return true;
}

// Deprecated functions of OpenSSL; their replacements load a provider.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
std::string sha256(std::string_view bytes) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256_CTX hash;
  SHA256_Init(&hash);
  SHA256_Update(&hash, bytes.data(), bytes.size());
  SHA256_Final(bytes_of(digest), &hash);
  return digest;
}
#pragma GCC diagnostic pop

bool equal_in_constant_time(std::string_view left, std::string_view right) {
  return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

void wipe(std::span<std::uint8_t> bytes) {
  OPENSSL_cleanse(bytes.data(), bytes.size());
}
void wipe(std::string& text) {
  OPENSSL_cleanse(text.data(), text.size());
}

}  // namespace fairlead::protocol
