#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::http {

/// What a client must prove beside its token.
enum class TokenBinding : std::uint8_t {
  none,         ///< The token alone suffices.
  dpop_key,     ///< The key of its DPoP proofs (RFC 9449).
  certificate,  ///< Its TLS client certificate (RFC 8705).
};

/// An authenticated caller. Immutable, shared by its request and everything that the request starts.
struct Identity {
  std::string principal;            ///< Name in rules, sessions, logs and limits.
  std::string issuer = {};          ///< Empty for an API key or a client certificate.
  std::string subject = {};         ///< The claim `sub`.
  std::string client_id = {};       ///< The OAuth client that uses the token.
  std::vector<std::string> scopes;  ///< Granted scopes.
  std::string claims = "{}";        ///< All claims as a JSON object. Contains no token.
  std::optional<std::chrono::system_clock::time_point> expires = {};
  TokenBinding binding = TokenBinding::none;
  std::string bound_to = {};  ///< Thumbprint of the key or certificate, in base64url.

  bool operator==(const Identity&) const = default;
};

}  // namespace fairlead::http
