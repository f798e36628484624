#include <algorithm>
#include <array>
#include <fairlead/base/base64.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/scan.hpp>
#include <fairlead/json/writer.hpp>
#include <utility>

#include "auth/jose/jose.hpp"
#include "crypto/digest.hpp"

namespace fairlead::auth::jose {
namespace {

using crypto::AsymmetricKey;
using crypto::KeyKind;
using crypto::SignatureScheme;

constexpr std::size_t most_keys = 100;

struct Algorithm {
  std::string_view name;
  SignatureScheme scheme;
  KeyKind kind;
};
// Ed25519 is the name of RFC 9864, EdDSA that of RFC 8037.
constexpr std::array<Algorithm, 6> algorithm_table{{
    {"RS256", SignatureScheme::rsa_pkcs1_sha256, KeyKind::rsa},
    {"PS256", SignatureScheme::rsa_pss_sha256, KeyKind::rsa},
    {"ES256", SignatureScheme::ecdsa_p256_sha256, KeyKind::p256},
    {"ES384", SignatureScheme::ecdsa_p384_sha384, KeyKind::p384},
    {"EdDSA", SignatureScheme::ed25519, KeyKind::ed25519},
    {"Ed25519", SignatureScheme::ed25519, KeyKind::ed25519},
}};

const Algorithm* find_algorithm(std::string_view name) {
  const auto* found = std::ranges::find(algorithm_table, name, &Algorithm::name);
  return found == algorithm_table.end() ? nullptr : found;
}

/// The bytes of a base64url member. Empty if the member is absent; sets `ok` to false if it is malformed.
std::string bytes_member(const Members& members, std::string_view name, bool& ok) {
  if (!members.contains(name)) return {};
  const auto text = text_member(members, name);
  auto bytes = text ? from_base64url(*text) : Result<std::string>(fail(ErrorKind::malformed, ""));
  ok = ok && bytes && !bytes->empty();
  return bytes ? std::move(*bytes) : std::string();
}

std::optional<AsymmetricKey> rsa_key(const Members& jwk) {
  bool ok = true;
  const auto number = [&](std::string_view name) { return bytes_member(jwk, name, ok); };
  const crypto::RsaNumbers numbers{.n = number("n"),
                                   .e = number("e"),
                                   .d = number("d"),
                                   .p = number("p"),
                                   .q = number("q"),
                                   .dp = number("dp"),
                                   .dq = number("dq"),
                                   .qi = number("qi")};
  return ok ? AsymmetricKey::rsa(numbers) : std::nullopt;
}

std::optional<AsymmetricKey> curve_key(const Members& jwk, std::string_view type) {
  bool ok = true;
  const auto curve = text_member(jwk, "crv").value_or("");
  const auto x = bytes_member(jwk, "x", ok);
  const auto d = bytes_member(jwk, "d", ok);
  if (type == "OKP") return ok && curve == "Ed25519" ? AsymmetricKey::ed25519(x, d) : std::nullopt;
  const auto y = bytes_member(jwk, "y", ok);
  if (!ok || (curve != "P-256" && curve != "P-384")) return std::nullopt;
  return AsymmetricKey::ec(curve == "P-256" ? KeyKind::p256 : KeyKind::p384, x, y, d);
}

/// True if the key has no `key_ops`, or one of them is about signatures.
bool operations_fit(const Members& jwk) {
  const auto found = jwk.find("key_ops");
  if (found == jwk.end()) return true;
  json::Reader reader(found->second);
  if (reader.kind() != json::Kind::array) return false;
  std::string scratch;
  bool fits = false;
  for (reader.open(); reader.more();) {
    if (reader.kind() != json::Kind::string) return false;
    const auto operation = reader.text(scratch);
    fits = fits || operation == "verify" || operation == "sign";
  }
  return fits;
}

}  // namespace

const AllowedAlgorithms& all_algorithms() {
  static const AllowedAlgorithms names = [] {
    AllowedAlgorithms list;
    for (const auto& algorithm : algorithm_table) list.emplace_back(algorithm.name);
    return list;
  }();
  return names;
}

Result<Key> Key::from_jwk(std::string_view json) {
  const auto jwk = read_members(json);
  if (!jwk) return std::unexpected(jwk.error());
  const auto type = text_member(*jwk, "kty").value_or("");
  std::optional<AsymmetricKey> made;
  if (type == "RSA") made = rsa_key(*jwk);
  if (type == "EC" || type == "OKP") made = curve_key(*jwk, type);
  if (!made) {
    return fail(
        ErrorKind::malformed,
        "the JWK is not a usable key: use RSA with 2048 to 8192 bits, EC on P-256 or P-384, or OKP with Ed25519");
  }
  Key key(std::move(*made));
  key.kid_ = text_member(*jwk, "kid").value_or("");
  key.algorithm_ = text_member(*jwk, "alg").value_or("");
  key.for_signature_ = text_member(*jwk, "use").value_or("sig") == "sig" && operations_fit(*jwk);
  return key;
}

Result<Key> Key::from_pem(std::string_view pem) {
  auto made = AsymmetricKey::from_pem(pem);
  if (made) return Key(std::move(*made));
  return fail(ErrorKind::malformed,
              "the PEM text is not a usable key: use a PKCS#8 private key without passphrase, of type RSA with 2048 to "
              "8192 bits, EC on P-256 or P-384, or Ed25519");
}

Result<Key> Key::generate_es256() {
  auto made = AsymmetricKey::generate_p256();
  if (made) return Key(std::move(*made));
  return fail(ErrorKind::invalid, "OpenSSL cannot make a key on P-256 on this machine");
}

// RFC 7638, 3.2: exactly the required members, sorted by name, without white space.
std::string Key::public_jwk() const {
  const auto numbers = key_.public_numbers();
  std::string out;
  {
    json::ObjectWriter object(out);
    if (key_.kind() == KeyKind::rsa) {
      object.text("e", base64url(numbers.second)).text("kty", "RSA").text("n", base64url(numbers.first));
    } else if (key_.kind() == KeyKind::ed25519) {
      object.text("crv", "Ed25519").text("kty", "OKP").text("x", base64url(numbers.first));
    } else {
      object.text("crv", key_.kind() == KeyKind::p256 ? "P-256" : "P-384").text("kty", "EC");
      object.text("x", base64url(numbers.first)).text("y", base64url(numbers.second));
    }
  }
  return out;
}

std::string Key::thumbprint() const {
  return base64url(crypto::sha256(public_jwk()));
}

std::string Key::to_pem() const {
  return key_.to_pem();
}

std::string_view Key::default_algorithm() const {
  return std::ranges::find(algorithm_table, key_.kind(), &Algorithm::kind)->name;
}

bool Key::fits(std::string_view algorithm) const {
  const auto* wanted = find_algorithm(algorithm);
  if (!wanted || wanted->kind != key_.kind() || !for_signature_) return false;
  if (algorithm_.empty() || algorithm_ == algorithm) return true;
  const auto* own = find_algorithm(algorithm_);
  return own && own->scheme == wanted->scheme;
}

bool Key::verify(std::string_view algorithm, std::string_view message, std::string_view signature) const {
  return fits(algorithm) && key_.verify(find_algorithm(algorithm)->scheme, message, signature);
}

Result<std::string> Key::sign(std::string_view algorithm, std::string_view message) const {
  auto signature = fits(algorithm) ? key_.sign(find_algorithm(algorithm)->scheme, message) : std::nullopt;
  if (signature) return std::move(*signature);
  return fail(ErrorKind::invalid, "the key cannot sign with " + std::string(algorithm) +
                                      ": it needs a private key that " + "fits the algorithm, and its own is " +
                                      std::string(default_algorithm()));
}

Result<std::vector<Key>> read_jwk_set(std::string_view json) {
  const auto set = read_members(json);
  if (!set) return std::unexpected(set.error());
  const auto list = set->find("keys");
  if (list == set->end() || !list->second.starts_with('[')) {
    return fail(ErrorKind::malformed, "a JWK Set needs the member \"keys\" with a list of keys");
  }
  std::vector<Key> keys;
  std::size_t count = 0;
  json::Reader reader(list->second);
  for (reader.open(); reader.more();) {
    if (++count > most_keys) return fail(ErrorKind::malformed, "the JWK Set has more than 100 keys");
    auto key = Key::from_jwk(reader.skip());
    if (key) keys.push_back(std::move(*key));
  }
  return keys;
}

}  // namespace fairlead::auth::jose
