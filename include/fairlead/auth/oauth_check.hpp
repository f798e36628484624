#pragma once

#include <chrono>
#include <fairlead/auth/scopes.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/http/identity.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::auth {

/// An authorization server whose access tokens are accepted.
struct TrustedIssuer {
  std::string issuer;                       ///< Exactly as in the claim `iss`.
  std::string jwks_file = {};               ///< JWK Set with the keys of the issuer.
  std::vector<std::string> audiences = {};  ///< Accepted audiences; empty for the resource itself.
  bool any_typ = false;                     ///< Accept other tokens than `at+jwt`: Entra, Auth0, Okta and Keycloak.
};

struct OAuthCheckOptions {
  std::string resource;  ///< Public URL of the MCP endpoint; the audience of tokens. Never taken from a request.
  std::vector<TrustedIssuer> issuers;
  ScopeRules scopes = {};
  std::vector<std::string> algorithms = {"RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"};
  std::chrono::seconds skew{60};     ///< Tolerated difference of clocks; at most five minutes.
  std::string principal_claim = {};  ///< Claim with the principal; empty for `sub`, or `client:<id>` for a machine.
  std::string resource_name = {};    ///< For people, in the metadata.
  std::size_t max_cached_tokens = 10'000;
  std::vector<std::string> open_paths = {"/healthz", "/readyz"};  ///< Paths that need no token.
  std::function<std::chrono::system_clock::time_point()> now = std::chrono::system_clock::now;  ///< For tests.
};

/// Authenticates requests by an OAuth access token (JWT, RFC 9068), serves the metadata of the protected resource (RFC
/// 9728), and answers other requests with challenges (RFC 6750).
///
/// A verified token is kept by its SHA-256 up to its expiry, at most five minutes; a refused one for ten seconds.
/// A token that is bound to a key needs a DPoP proof (RFC 9449) with every request; one that is bound to a certificate
/// is refused. Thread-safe.
class OAuthCheck final : public http::AccessCheck, public http::OperationCheck {
 public:
  /// `invalid` if the resource is not an absolute http(s) URL, without issuers, for a file without a usable key, and
  /// for an algorithm that is not supported.
  static Result<std::shared_ptr<const OAuthCheck>> make(OAuthCheckOptions options);
  ~OAuthCheck() override;

  /// Sets principal and identity of the request, or returns a response with a challenge.
  std::optional<http::Response> refuse(http::Request& request) const override;
  /// The metadata of the protected resource.
  std::optional<http::Response> public_document(const http::Request& request) const override;

  /// Returns a 403 that lists all scopes of the operation; nothing if the identity has them.
  std::optional<http::Response> refuse_operation(const http::Identity& identity, std::string_view method,
                                                 std::string_view tool) const override;
  const ScopePolicy& scopes() const;

 private:
  struct State;
  explicit OAuthCheck(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace fairlead::auth
