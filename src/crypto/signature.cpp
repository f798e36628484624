#include "crypto/signature.hpp"

#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

namespace fairlead::crypto {
namespace {

struct FreeDigestContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using DigestContext = std::unique_ptr<EVP_MD_CTX, FreeDigestContext>;

struct FreeEcSignature {
  void operator()(ECDSA_SIG* signature) const { ECDSA_SIG_free(signature); }
};
using EcSignature = std::unique_ptr<ECDSA_SIG, FreeEcSignature>;

// RFC 7518, 3.5: the salt has the size of the hash.
constexpr int pss_salt_size = 32;

const unsigned char* signed_bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

KeyKind kind_for(SignatureScheme scheme) {
  switch (scheme) {
    case SignatureScheme::ecdsa_p256_sha256: return KeyKind::p256;
    case SignatureScheme::ecdsa_p384_sha384: return KeyKind::p384;
    case SignatureScheme::ed25519: return KeyKind::ed25519;
    case SignatureScheme::rsa_pkcs1_sha256:
    case SignatureScheme::rsa_pss_sha256: break;
  }
  return KeyKind::rsa;
}

const EVP_MD* hash_for(SignatureScheme scheme) {
  if (scheme == SignatureScheme::ed25519) return nullptr;
  return scheme == SignatureScheme::ecdsa_p384_sha384 ? EVP_sha384() : EVP_sha256();
}

bool is_ecdsa(SignatureScheme scheme) {
  return scheme == SignatureScheme::ecdsa_p256_sha256 || scheme == SignatureScheme::ecdsa_p384_sha384;
}

bool set_padding(EVP_PKEY_CTX* context, SignatureScheme scheme) {
  if (scheme != SignatureScheme::rsa_pss_sha256) return true;
  return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
         EVP_PKEY_CTX_set_rsa_pss_saltlen(context, pss_salt_size) == 1;
}

/// The DER form of R and S; empty unless the signature has exactly the size of the curve, twice.
std::string to_der(std::string_view signature, std::size_t size) {
  if (signature.size() != 2 * size) return {};
  const auto count = static_cast<int>(size);
  const EcSignature numbers(ECDSA_SIG_new());
  BIGNUM* r = BN_bin2bn(signed_bytes(signature), count, nullptr);
  BIGNUM* s = BN_bin2bn(signed_bytes(signature) + size, count, nullptr);
  if (!numbers || !r || !s || ECDSA_SIG_set0(numbers.get(), r, s) != 1) {
    BN_free(r);
    BN_free(s);
    return {};
  }
  unsigned char* encoded = nullptr;
  const int length = i2d_ECDSA_SIG(numbers.get(), &encoded);
  if (length <= 0) return {};
  std::string der(reinterpret_cast<const char*>(encoded), static_cast<std::size_t>(length));
  OPENSSL_free(encoded);
  return der;
}

std::optional<std::string> from_der(std::string_view der, std::size_t size) {
  const unsigned char* at = signed_bytes(der);
  const EcSignature numbers(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  if (!numbers) return std::nullopt;
  std::string out(2 * size, '\0');
  auto* bytes = reinterpret_cast<unsigned char*>(out.data());
  const auto count = static_cast<int>(size);
  if (BN_bn2binpad(ECDSA_SIG_get0_r(numbers.get()), bytes, count) < 0) return std::nullopt;
  if (BN_bn2binpad(ECDSA_SIG_get0_s(numbers.get()), bytes + size, count) < 0) return std::nullopt;
  return out;
}

}  // namespace

bool AsymmetricKey::verify(SignatureScheme scheme, std::string_view message, std::string_view signature) const {
  if (kind_for(scheme) != kind_) return false;
  std::string der;
  if (is_ecdsa(scheme)) {
    der = to_der(signature, coordinate_size(kind_));
    if (der.empty()) return false;
    signature = der;
  }
  const DigestContext context(EVP_MD_CTX_new());
  EVP_PKEY_CTX* settings = nullptr;
  const bool genuine = context &&
                       EVP_DigestVerifyInit(context.get(), &settings, hash_for(scheme), nullptr, key_.get()) == 1 &&
                       set_padding(settings, scheme) &&
                       EVP_DigestVerify(context.get(), signed_bytes(signature), signature.size(), signed_bytes(message),
                                        message.size()) == 1;
  // OpenSSL queues an error for each wrong signature.
  if (!genuine) ERR_clear_error();
  return genuine;
}

std::optional<std::string> AsymmetricKey::sign(SignatureScheme scheme, std::string_view message) const {
  if (!private_ || kind_for(scheme) != kind_) return std::nullopt;
  const DigestContext context(EVP_MD_CTX_new());
  EVP_PKEY_CTX* settings = nullptr;
  std::size_t size = static_cast<std::size_t>(EVP_PKEY_get_size(key_.get()));
  std::string signature(size, '\0');
  const bool made = context &&
                    EVP_DigestSignInit(context.get(), &settings, hash_for(scheme), nullptr, key_.get()) == 1 &&
                    set_padding(settings, scheme) &&
                    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                                   signed_bytes(message), message.size()) == 1;
  if (!made) {
    ERR_clear_error();
    return std::nullopt;
  }
  signature.resize(size);
  if (is_ecdsa(scheme)) return from_der(signature, coordinate_size(kind_));
  return signature;
}

}  // namespace fairlead::crypto
