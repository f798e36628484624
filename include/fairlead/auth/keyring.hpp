#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/http/handler.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::auth {

/// A secret that lets somebody in, as configuration keeps it.
struct Key {
  std::string principal;  ///< Whom it belongs to.
  std::string sha256;     ///< Of the secret, in hex.
};

/// From a file of lines, each a name and the SHA-256 of its secret in hex. Empty lines and those that begin with # are
/// skipped. An error names every line that is wrong, and repeats no secret.
Result<std::vector<Key>> read_keys(const std::string& path);

/// What configuration keeps of a secret.
std::string hash_of(std::string_view secret);

struct KeyringOptions {
  std::string realm = "fairlead";
  std::vector<std::string> open_paths = {"/healthz", "/readyz"};  ///< Need no key.
};

/// Lets in who sends a secret that it knows: as `Authorization: Bearer …` or `X-API-Key`. One without keys lets nobody
/// in.
///
/// How long it takes tells nothing about the secrets: all of them are compared, to the last byte.
class Keyring final : public http::Gate {
 public:
  /// `invalid` for a hash that is none, and for a key that belongs to nobody.
  static Result<Keyring> make(std::vector<Key> keys, KeyringOptions options = {});

  /// Sets the request's principal, or gives the 401.
  std::optional<http::Response> refuse(http::Request& request) const override;

  /// Nothing for a secret that it does not know.
  std::optional<std::string> principal_of(std::string_view secret) const;

 private:
  struct Entry {
    std::string principal;
    std::string digest;
  };

  Keyring(std::vector<Entry> entries, KeyringOptions options)
      : entries_(std::move(entries)), options_(std::move(options)) {}

  http::Response challenge(std::string_view error, std::string_view what_to_do) const;

  std::vector<Entry> entries_;
  KeyringOptions options_;
};

}  // namespace fairlead::auth
