#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/http/handler.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::auth {

/// An API key as the configuration stores it.
struct ApiKey {
  std::string principal;  ///< Principal that the key authenticates.
  std::string sha256;     ///< SHA-256 of the secret, in hex.
};

/// Reads a key file: each line has a name and the SHA-256 of its secret in hex. Empty lines and lines that start with #
/// are skipped. The error lists every invalid line and contains no secret.
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
  /// `invalid` for a malformed hash and for a key without a principal.
  static Result<ApiKeyCheck> make(std::vector<ApiKey> keys, ApiKeyCheckOptions options = {});

  /// Sets the principal of the request, or returns a 401 response.
  std::optional<http::Response> refuse(http::Request& request) const override;

  /// Returns the principal of a secret; nothing if it is unknown.
  std::optional<std::string> principal_of(std::string_view secret) const;

 private:
  struct Entry {
    std::string principal;
    std::string digest;
  };

  ApiKeyCheck(std::vector<Entry> entries, ApiKeyCheckOptions options)
      : entries_(std::move(entries)), options_(std::move(options)) {}

  http::Response challenge(std::string_view error, std::string_view what_to_do) const;

  std::vector<Entry> entries_;
  ApiKeyCheckOptions options_;
};

}  // namespace fairlead::auth
