#include "crypto/aead.hpp"

#include <limits>
#include <memory>
#include <openssl/evp.h>
#include <stdexcept>

#include "crypto/random.hpp"
#include "crypto/secret.hpp"

namespace fairlead::crypto {
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
    throw std::length_error("the input of AES-256-GCM is limited to 2 GiB");
  }
  return static_cast<int>(text.size());
}

void require(bool done) {
  if (!done) throw std::runtime_error("OpenSSL cannot encrypt: is AES-256-GCM disabled here?");
}

}  // namespace

std::string encrypt(const AeadKey& key, std::string_view plain, std::string_view associated) {
  std::string nonce(nonce_size, '\0');
  require(fill_random({bytes_of(nonce), nonce_size}));
  return encrypt_with_nonce(key, nonce, plain, associated);
}

std::string encrypt_with_nonce(const AeadKey& key, std::string_view chosen, std::string_view plain,
                               std::string_view associated) {
  if (chosen.size() != nonce_size) throw std::invalid_argument("a nonce of AES-256-GCM has 12 bytes");
  std::string out(chosen);
  out.resize(nonce_size + plain.size() + tag_size);
  unsigned char* nonce = bytes_of(out);
  unsigned char* body = nonce + nonce_size;
  unsigned char* tag = body + plain.size();
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

}  // namespace fairlead::crypto
