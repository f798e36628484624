#pragma once

#include <fairlead/auth/scopes.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/http/identity.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::auth {

/// An API key as the configuration stores it.
struct ApiKey {
  std::string principal;  ///< Principal that the key authenticates.
  std::string sha256;     ///< SHA-256 of the secret, in hex.
  Scopes scopes = {};     ///< What its callers may use, where rules for scopes apply.
};

/// Reads a key file: each line has a name, the SHA-256 of its secret in hex, and any number of scopes. Empty lines and
/// lines that start with # are skipped. The error lists every invalid line and contains no secret.
Result<std::vector<ApiKey>> read_api_keys(const std::string& path);

/// SHA-256 of `secret` in hex, as stored in the configuration.
std::string sha256_hex(std::string_view secret);

struct ApiKeyCheckOptions {
  std::string realm = "fairlead";
  std::vector<std::string> open_paths = {"/healthz", "/readyz"};  ///< Paths that need no key.
};

/// Authenticates requests by an API key: `Authorization: Bearer …` or `X-API-Key`. Without keys it rejects every
/// request.
///
/// Takes constant time: every stored key is compared, to the last byte.
class ApiKeyCheck final : public http::AccessCheck {
 public:
  /// `invalid` for a malformed hash or scope, and for a key without a principal.
  static Result<ApiKeyCheck> make(std::vector<ApiKey> keys, ApiKeyCheckOptions options = {});

  /// Sets the principal and identity of the request, or returns a 401 response. Always ready.
  Task<std::optional<http::Response>> refuse(http::Request& request) const override;

  /// Returns the principal of a secret; nothing if it is unknown.
  std::optional<std::string> principal_of(std::string_view secret) const;
  /// The caller with this secret; null if it is unknown.
  std::shared_ptr<const http::Identity> identity_of(std::string_view secret) const;

 private:
  struct Entry {
    std::shared_ptr<const http::Identity> identity;
    std::string digest;
  };

  ApiKeyCheck(std::vector<Entry> entries, ApiKeyCheckOptions options)
      : entries_(std::move(entries)), options_(std::move(options)) {}

  http::Response challenge(std::string_view error, std::string_view what_to_do) const;

  std::vector<Entry> entries_;
  ApiKeyCheckOptions options_;
};

}  // namespace fairlead::auth
