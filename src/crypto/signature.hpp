#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace fairlead::crypto {

enum class KeyKind : std::uint8_t { rsa, p256, p384, ed25519 };

enum class SignatureScheme : std::uint8_t {
  rsa_pkcs1_sha256,
  rsa_pss_sha256,  ///< With a salt of 32 bytes.
  ecdsa_p256_sha256,
  ecdsa_p384_sha384,
  ed25519,
};

/// Numbers of an RSA key, big-endian. A public key has n and e only.
struct RsaNumbers {
  std::string n, e, d, p, q, dp, dq, qi;
};

/// A key pair, or a public key. Copies share it; it is immutable and may be used by several threads.
class AsymmetricKey {
 public:
  /// nullopt if the numbers are not a key, or the modulus has less than 2048 or more than 8192 bits.
  static std::optional<AsymmetricKey> rsa(const RsaNumbers& numbers);
  /// A key on P-256 or P-384. Coordinates and the private number have the size of the curve; `d` is empty for a public
  /// key. nullopt if the point is not on the curve or does not belong to `d`.
  static std::optional<AsymmetricKey> ec(KeyKind curve, std::string_view x, std::string_view y, std::string_view d);
  static std::optional<AsymmetricKey> ed25519(std::string_view x, std::string_view d);
  /// Reads a private key as PKCS#8 (PEM), or a public key (PEM). Never asks for a passphrase.
  static std::optional<AsymmetricKey> from_pem(std::string_view pem);
  static std::optional<AsymmetricKey> generate_p256();

  KeyKind kind() const { return kind_; }
  bool is_private() const { return private_; }
  /// PKCS#8 in PEM; empty for a public key.
  std::string to_pem() const;
  /// Public numbers: `first` is n or x, `second` is e or y (empty for Ed25519).
  struct PublicNumbers {
    std::string first, second;
  };
  PublicNumbers public_numbers() const;

  /// False for a scheme that does not fit the key, and for a wrong signature. ECDSA signatures are R and S, each with
  /// the size of the curve.
  bool verify(SignatureScheme scheme, std::string_view message, std::string_view signature) const;
  /// nullopt for a public key, and for a scheme that does not fit the key.
  std::optional<std::string> sign(SignatureScheme scheme, std::string_view message) const;

 private:
  AsymmetricKey(std::shared_ptr<evp_pkey_st> key, KeyKind kind, bool has_private)
      : key_(std::move(key)), kind_(kind), private_(has_private) {}
  static std::optional<AsymmetricKey> checked(evp_pkey_st* owned, bool has_private);

  std::shared_ptr<evp_pkey_st> key_;
  KeyKind kind_;
  bool private_;
};

/// Size of a coordinate of the curve in bytes; 32 for Ed25519, 0 for RSA.
std::size_t coordinate_size(KeyKind kind);

}  // namespace fairlead::crypto
