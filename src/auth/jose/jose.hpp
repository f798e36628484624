#pragma once

#include <fairlead/base/result.hpp>
#include <functional>
#include <map>
#include <vector>

#include "crypto/signature.hpp"

/// Signed JSON (RFC 7515, 7517, 7518, 7638, 8037): only asymmetric signatures. No encryption, no HMAC, no "none".
namespace fairlead::auth::jose {

/// base64url without padding. Decoding is strict: exactly one text for each byte string.
std::string base64url(std::string_view bytes);
Result<std::string> from_base64url(std::string_view text);

/// Members of one JSON object: the name unescaped, the value as JSON text.
using Members = std::map<std::string, std::string, std::less<>>;

/// Reads an object whose members, at every depth, have different names.
Result<Members> read_members(std::string_view json);

/// The member as text; nullopt if it is absent or not a string.
std::optional<std::string> text_member(const Members& members, std::string_view name);

/// RS256, PS256, ES256, ES384 and EdDSA (also called Ed25519); others do not exist here.
using AllowedAlgorithms = std::vector<std::string>;
const AllowedAlgorithms& all_algorithms();

/// A public key, or a key pair. Copies share the key; thread-safe.
class Key {
 public:
  /// Reads a public or private JWK of type RSA, EC (P-256, P-384) or OKP (Ed25519).
  static Result<Key> from_jwk(std::string_view json);
  /// Reads a private key in PKCS#8, or a public key, as PEM.
  static Result<Key> from_pem(std::string_view pem);
  static Result<Key> generate_es256();

  /// The public JWK with its required members only, in the order of RFC 7638.
  std::string public_jwk() const;
  /// RFC 7638, SHA-256, base64url.
  std::string thumbprint() const;
  /// PKCS#8; empty for a public key.
  std::string to_pem() const;
  bool is_private() const { return key_.is_private(); }
  /// RS256, ES256, ES384 or EdDSA.
  std::string_view default_algorithm() const;
  /// True if kty, crv, `use`, `key_ops` and `alg` of the key fit the algorithm.
  bool fits(std::string_view algorithm) const;
  const std::string& kid() const { return kid_; }

  bool verify(std::string_view algorithm, std::string_view message, std::string_view signature) const;
  Result<std::string> sign(std::string_view algorithm, std::string_view message) const;

 private:
  explicit Key(crypto::AsymmetricKey key) : key_(std::move(key)) {}

  crypto::AsymmetricKey key_;
  std::string kid_;
  std::string algorithm_;      // The JWK's `alg`; empty if it has none.
  bool for_signature_ = true;  // By `use` and `key_ops`.
};

/// The keys of a JWK Set. Keys that cannot be used are skipped. `malformed` for more than 100 keys.
Result<std::vector<Key>> read_jwk_set(std::string_view json);

/// A JWS whose signature has not been checked yet.
struct Token {
  std::string header;  ///< JSON text.
  std::string claims;  ///< JSON text.
  Members header_members;
  Members claim_members;
  std::string algorithm;
  std::string kid;
  std::string signing_input;
  std::string signature;
};

/// Splits a compact JWS and reads its header and claims. Refuses duplicate members and any `crit`.
Result<Token> split(std::string_view compact);

/// A token whose signature has been checked.
struct Verified {
  std::string header;  ///< JSON text.
  std::string claims;  ///< JSON text.
  Members header_members;
  Members claim_members;
};

/// Returns the key that must have signed the token; nullopt if there is none. Ignore `jwk`, `jku`, `x5u` and `x5c` of
/// the header, except in a DPoP proof.
using KeyLookup = std::function<std::optional<Key>(const Token&)>;

/// Checks the signature. The algorithm must be allowed and fit the key.
Result<Verified> verify(std::string_view compact, const KeyLookup& key_of, const AllowedAlgorithms& allowed);

/// Signs claims as a compact JWS. `header_json` is complete and its `alg` is `algorithm`.
Result<std::string> sign(const Key& key, std::string_view algorithm, std::string_view header_json,
                         std::string_view claims_json);

}  // namespace fairlead::auth::jose
