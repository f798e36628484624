#pragma once

#include <cstdint>
#include <fairlead/auth/credential.hpp>
#include <fairlead/auth/credential_store.hpp>
#include <fairlead/auth/sign_in.hpp>
#include <fairlead/http/client.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::auth {

enum class Grant : std::uint8_t {
  code,                ///< Authorization code with PKCE.
  device,              ///< RFC 8628.
  client_credentials,  ///< With a secret, or private_key_jwt.
  jwt_bearer,          ///< RFC 7523: an assertion of a workload.
  id_jag,              ///< Enterprise-managed authorization: an identity assertion, exchanged at the identity provider.
  token_exchange,      ///< RFC 8693: `assertion` is the subject token.
  on_behalf_of,        ///< RFC 7523 as Entra uses it: `assertion` is the token of the caller.
};

enum class Dpop : std::uint8_t { automatic, never, always };

/// The identity provider of `Grant::id_jag`.
struct IdentityProvider {
  std::string token_endpoint = {};
  std::string client_id = {};
  std::string client_secret = {};
  std::string id_token = {};
  std::string subject_token_type = "urn:ietf:params:oauth:token-type:id_token";  ///< Of `id_token`.
};

struct OAuthOptions {
  std::string server = {};   ///< URL of the MCP server.
  std::string account = {};  ///< Distinguishes several logins at one server.
  Grant grant = Grant::code;
  std::string client_id = {};  ///< A pre-registered client; has precedence.
  std::string client_secret = {};
  std::string private_key_pem = {};  ///< For private_key_jwt.
  std::string signing_algorithm = {};
  std::string issuer = {};               ///< If set, the only issuer to accept.
  std::string client_metadata_url = {};  ///< URL of a client ID metadata document.
  std::string client_name = "Fairlead";
  std::string scope = {};      ///< If set, asked for instead of the scope of the server.
  std::string resource = {};   ///< Overrides the `resource` parameter; `none` omits it.
  std::string audience = {};   ///< For `token_exchange`.
  std::string assertion = {};  ///< For `jwt_bearer`, `token_exchange` and `on_behalf_of`.
  /// If set, called for each token request instead of using `assertion` and `IdentityProvider::id_token`.
  std::function<Result<std::string>()> read_assertion = {};
  IdentityProvider identity_provider = {};
  std::vector<std::pair<std::string, std::string>> params = {};  ///< Added to the authorization URL.
  Dpop dpop = Dpop::automatic;
  /// Allow metadata and endpoints on private networks although the server is not on one.
  bool private_issuers = false;
  http::ClientOptions http = {};
  std::function<void(std::string_view)> on_secret = {};  ///< Called with every secret, before it is used.
};

/// OAuth as the MCP authorization specification describes it, with discovery, registration, refresh and step-up.
std::shared_ptr<TokenSource> oauth(OAuthOptions options, std::shared_ptr<CredentialStore> store = memory_store(),
                                   std::shared_ptr<SignIn> sign_in = no_sign_in());

/// Signs in now, also if a login is stored. `fairlead login` uses it.
Task<Result<Stored>> login(EventLoop loop, OAuthOptions options, std::shared_ptr<CredentialStore> store,
                           std::shared_ptr<SignIn> sign_in);

struct LogoutOptions {
  /// Also delete the registration of this client at the issuer (RFC 7592). Otherwise the next sign-in uses it again.
  bool forget = false;
  http::ClientOptions http = {};
};

/// Revokes the tokens of a login where its issuer supports that (RFC 7009), and deletes them, also if the issuer fails.
/// Returns what the issuer did not do, in sentences for the user.
Task<Result<std::vector<std::string>>> logout(EventLoop loop, StoreKey key, std::shared_ptr<CredentialStore> store,
                                              LogoutOptions options = LogoutOptions());

}  // namespace fairlead::auth
