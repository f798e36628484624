#include <array>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <utility>
#include <vector>

#include "crypto/secret.hpp"
#include "crypto/signature.hpp"

namespace fairlead::crypto {
namespace {

template <auto Free>
struct KeyFree {
  void operator()(auto* object) const { Free(object); }
};
using Number = std::unique_ptr<BIGNUM, KeyFree<BN_clear_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, KeyFree<EVP_PKEY_CTX_free>>;
using Bio = std::unique_ptr<BIO, KeyFree<BIO_free_all>>;

constexpr int fewest_rsa_bits = 2048;
// A larger modulus makes each verification cost milliseconds.
constexpr int most_rsa_bits = 8192;

const unsigned char* key_bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

/// Collects parameters of EVP_PKEY_fromdata; keeps the numbers until the key is made.
class KeyParameters {
 public:
  KeyParameters() : builder_(OSSL_PARAM_BLD_new()) {}

  void number(const char* name, std::string_view bytes) {
    if (bytes.empty()) return;
    numbers_.emplace_back(BN_bin2bn(key_bytes(bytes), static_cast<int>(bytes.size()), nullptr));
    ok_ = ok_ && numbers_.back() && OSSL_PARAM_BLD_push_BN(builder_.get(), name, numbers_.back().get()) == 1;
  }
  void text(const char* name, const char* value) {
    ok_ = ok_ && OSSL_PARAM_BLD_push_utf8_string(builder_.get(), name, value, 0) == 1;
  }
  void octets(const char* name, const std::string& value) {
    ok_ = ok_ && OSSL_PARAM_BLD_push_octet_string(builder_.get(), name, value.data(), value.size()) == 1;
  }

  EVP_PKEY* make(const char* type, bool with_private) {
    if (!ok_) return nullptr;
    const std::unique_ptr<OSSL_PARAM, KeyFree<OSSL_PARAM_free>> list(OSSL_PARAM_BLD_to_param(builder_.get()));
    const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
    EVP_PKEY* key = nullptr;
    const int selection = with_private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    if (!list || !context || EVP_PKEY_fromdata_init(context.get()) != 1) return nullptr;
    return EVP_PKEY_fromdata(context.get(), &key, selection, list.get()) == 1 ? key : nullptr;
  }

 private:
  std::unique_ptr<OSSL_PARAM_BLD, KeyFree<OSSL_PARAM_BLD_free>> builder_;
  std::vector<Number> numbers_;
  bool ok_ = true;
};

std::optional<KeyKind> kind_of(const EVP_PKEY* key) {
  if (EVP_PKEY_is_a(key, "RSA") == 1) return KeyKind::rsa;
  if (EVP_PKEY_is_a(key, "ED25519") == 1) return KeyKind::ed25519;
  if (EVP_PKEY_is_a(key, "EC") != 1) return std::nullopt;
  std::array<char, 64> name{};
  std::size_t size = 0;
  if (EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, name.data(), name.size(), &size) != 1) {
    return std::nullopt;
  }
  const std::string_view curve(name.data(), size);
  if (curve == "prime256v1" || curve == "P-256") return KeyKind::p256;
  if (curve == "secp384r1" || curve == "P-384") return KeyKind::p384;
  return std::nullopt;
}

/// False if the private part does not belong to the public part.
bool parts_match(EVP_PKEY* key) {
  const KeyContext context(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  return context && EVP_PKEY_pairwise_check(context.get()) == 1;
}

std::string number_of(const EVP_PKEY* key, const char* name, std::size_t width) {
  BIGNUM* read = nullptr;
  if (EVP_PKEY_get_bn_param(key, name, &read) != 1) return {};
  const Number number(read);
  const auto size = width != 0 ? width : static_cast<std::size_t>(BN_num_bytes(number.get()));
  std::string bytes(size, '\0');
  if (BN_bn2binpad(number.get(), reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(size)) < 0) return {};
  return bytes;
}

// OpenSSL asks on the terminal if it gets no callback.
int no_passphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*data*/) {
  return 0;
}

}  // namespace

std::size_t coordinate_size(KeyKind kind) {
  switch (kind) {
    case KeyKind::rsa: return 0;
    case KeyKind::p384: return 48;
    case KeyKind::p256:
    case KeyKind::ed25519: break;
  }
  return 32;
}

std::optional<AsymmetricKey> AsymmetricKey::checked(EVP_PKEY* owned, bool has_private) {
  ERR_clear_error();
  std::shared_ptr<EVP_PKEY> key(owned, [](EVP_PKEY* held) { EVP_PKEY_free(held); });
  if (!owned) return std::nullopt;
  const auto kind = kind_of(owned);
  if (!kind) return std::nullopt;
  const int bits = EVP_PKEY_get_bits(owned);
  if (*kind == KeyKind::rsa && (bits < fewest_rsa_bits || bits > most_rsa_bits)) return std::nullopt;
  return AsymmetricKey(std::move(key), *kind, has_private);
}

std::optional<AsymmetricKey> AsymmetricKey::rsa(const RsaNumbers& numbers) {
  const bool has_private = !numbers.d.empty();
  KeyParameters parameters;
  parameters.number(OSSL_PKEY_PARAM_RSA_N, numbers.n);
  parameters.number(OSSL_PKEY_PARAM_RSA_E, numbers.e);
  if (numbers.n.empty() || numbers.e.empty()) return std::nullopt;
  if (has_private) {
    parameters.number(OSSL_PKEY_PARAM_RSA_D, numbers.d);
    parameters.number(OSSL_PKEY_PARAM_RSA_FACTOR1, numbers.p);
    parameters.number(OSSL_PKEY_PARAM_RSA_FACTOR2, numbers.q);
    parameters.number(OSSL_PKEY_PARAM_RSA_EXPONENT1, numbers.dp);
    parameters.number(OSSL_PKEY_PARAM_RSA_EXPONENT2, numbers.dq);
    parameters.number(OSSL_PKEY_PARAM_RSA_COEFFICIENT1, numbers.qi);
  }
  auto key = checked(parameters.make("RSA", has_private), has_private);
  // An exponent of 1 would make every message its own signature.
  if (key && BN_is_one(Number(BN_bin2bn(key_bytes(numbers.e), static_cast<int>(numbers.e.size()), nullptr)).get())) {
    return std::nullopt;
  }
  return key;
}

std::optional<AsymmetricKey> AsymmetricKey::ec(KeyKind curve, std::string_view x, std::string_view y,
                                               std::string_view d) {
  const auto size = coordinate_size(curve);
  const bool is_curve = curve == KeyKind::p256 || curve == KeyKind::p384;
  if (!is_curve || x.size() != size || y.size() != size || (!d.empty() && d.size() != size)) return std::nullopt;
  // SEC 1, 2.3.3: an uncompressed point.
  const std::string point = std::string(1, '\x04').append(x).append(y);
  KeyParameters parameters;
  parameters.text(OSSL_PKEY_PARAM_GROUP_NAME, curve == KeyKind::p256 ? "P-256" : "P-384");
  parameters.octets(OSSL_PKEY_PARAM_PUB_KEY, point);
  parameters.number(OSSL_PKEY_PARAM_PRIV_KEY, d);
  auto key = checked(parameters.make("EC", !d.empty()), !d.empty());
  if (key && key->private_ && !parts_match(key->key_.get())) key.reset();
  ERR_clear_error();
  return key;
}

std::optional<AsymmetricKey> AsymmetricKey::ed25519(std::string_view x, std::string_view d) {
  const auto size = coordinate_size(KeyKind::ed25519);
  if (x.size() != size || (!d.empty() && d.size() != size)) return std::nullopt;
  if (d.empty()) return checked(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key_bytes(x), size), false);
  auto key = checked(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, key_bytes(d), size), true);
  if (key && key->public_numbers().first != x) key.reset();
  return key;
}

std::optional<AsymmetricKey> AsymmetricKey::from_pem(std::string_view pem) {
  const Bio private_text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  const Bio public_text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  if (!private_text || !public_text) return std::nullopt;
  if (auto* key = PEM_read_bio_PrivateKey(private_text.get(), nullptr, no_passphrase, nullptr)) {
    return checked(key, true);
  }
  return checked(PEM_read_bio_PUBKEY(public_text.get(), nullptr, no_passphrase, nullptr), false);
}

std::optional<AsymmetricKey> AsymmetricKey::generate_p256() {
  return checked(EVP_EC_gen("P-256"), true);
}

std::string AsymmetricKey::to_pem() const {
  if (!private_) return {};
  const Bio out(BIO_new(BIO_s_mem()));
  char* text = nullptr;
  if (!out || PEM_write_bio_PKCS8PrivateKey(out.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
    return {};
  const auto size = BIO_get_mem_data(out.get(), &text);
  std::string pem(text, static_cast<std::size_t>(size));
  wipe({reinterpret_cast<std::uint8_t*>(text), pem.size()});
  return pem;
}

AsymmetricKey::PublicNumbers AsymmetricKey::public_numbers() const {
  const auto* key = key_.get();
  const auto size = coordinate_size(kind_);
  if (kind_ == KeyKind::rsa) {
    return {.first = number_of(key, OSSL_PKEY_PARAM_RSA_N, 0), .second = number_of(key, OSSL_PKEY_PARAM_RSA_E, 0)};
  }
  if (kind_ != KeyKind::ed25519) {
    return {.first = number_of(key, OSSL_PKEY_PARAM_EC_PUB_X, size),
            .second = number_of(key, OSSL_PKEY_PARAM_EC_PUB_Y, size)};
  }
  std::string x(size, '\0');
  std::size_t written = size;
  EVP_PKEY_get_raw_public_key(key, reinterpret_cast<unsigned char*>(x.data()), &written);
  return {.first = std::move(x), .second = {}};
}

}  // namespace fairlead::crypto
