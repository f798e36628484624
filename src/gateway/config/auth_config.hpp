#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fairlead::auth {
enum class Grant : std::uint8_t;
enum class Dpop : std::uint8_t;
}  // namespace fairlead::auth

namespace fairlead::gateway {

/// Whether all callers use one login at a server, or each caller has its own.
enum class LoginOwner : std::uint8_t { all, caller };

/// The identity provider of the grant `id_jag`.
struct IdentityProviderConfig {
  std::string token_endpoint = {};
  std::string client_id = {};
  std::string client_secret = {};
  std::string id_token_file = {};  ///< Read for each token request; not used with `for: caller`.

  bool operator==(const IdentityProviderConfig&) const = default;
};

/// How the gateway gets OAuth tokens for a server.
struct OAuthConfig {
  auth::Grant grant = {};  ///< Authorization code.
  LoginOwner login_owner = LoginOwner::all;
  std::string account = {};  ///< Which of several logins of the operator.
  std::string client_id = {};
  std::string client_secret = {};
  std::string key_file = {};  ///< PEM, for private_key_jwt.
  std::string alg = {};
  std::string client_metadata_url = {};
  std::vector<std::string> scopes = {};
  std::string resource = {};     ///< `none` omits the parameter.
  std::string audience = {};     ///< For token exchange.
  std::string issuer = {};       ///< The only issuer to accept.
  bool private_issuers = false;  ///< Allow issuers with private addresses for a server with a public one.
  std::string callback_url = {};
  std::map<std::string, std::string> params = {};
  auth::Dpop dpop = {};             ///< If the server asks for it.
  std::string assertion_file = {};  ///< Read for each token request, because workload tokens are rotated.
  IdentityProviderConfig identity_provider = {};

  bool operator==(const OAuthConfig&) const = default;
};

/// How the gateway authenticates to a server, in addition to configured headers.
struct ServerAuthConfig {
  std::optional<OAuthConfig> oauth = {};

  bool operator==(const ServerAuthConfig&) const = default;
};

/// Where logins of callers are kept; in memory without a folder.
struct VaultConfig {
  std::string folder = {};
  std::string key_file = {};  ///< Made by `fairlead key --vault`.

  bool operator==(const VaultConfig&) const = default;
};

}  // namespace fairlead::gateway
