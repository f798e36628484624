#pragma once

#include <chrono>
#include <fairlead/auth/api_keys.hpp>
#include <fairlead/auth/scopes.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/http/client.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/http/identity.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::auth {

/// How this server asks an issuer about opaque tokens (RFC 7662).
struct IntrospectionClient {
  std::string client_id;  ///< Of this server, not of its callers.
  std::string client_secret;
  std::string endpoint = {};  ///< Empty for the one in the issuer's metadata.

  bool operator==(const IntrospectionClient&) const = default;
};

/// An authorization server whose access tokens are accepted.
struct TrustedIssuer {
  std::string issuer;          ///< Exactly as in the claim `iss`.
  std::string jwks_file = {};  ///< JWK Set with its keys. Empty: they are fetched from the URL in its metadata.
  std::vector<std::string> audiences = {};  ///< Accepted audiences; empty for the resource itself.
  bool any_typ = false;                     ///< Accept other tokens than `at+jwt`: Entra, Auth0, Okta and Keycloak.
  std::optional<IntrospectionClient> introspection = {};  ///< For tokens that are not JWTs; of one issuer at most.

  bool operator==(const TrustedIssuer&) const = default;
};

/// An endpoint of the same server that is a resource of its own, with tokens of its own.
struct ResourceEndpoint {
  std::string path;      ///< Requests to this path and below belong to it.
  std::string resource;  ///< Public URL; the audience of its tokens.
};

/// DPoP (RFC 9449).
struct DpopOptions {
  bool required = false;  ///< Refuse tokens that are not bound to a key.
  bool nonces = false;    ///< Proofs must contain a nonce of this server. Use it if several replicas serve a URL.
  std::string nonce_secret = {};  ///< Shared by the replicas; empty for a random one.

  bool operator==(const DpopOptions&) const = default;
};

struct OAuthCheckOptions {
  std::string resource;  ///< Public URL of the MCP endpoint; the audience of tokens. Never taken from a request.
  std::vector<TrustedIssuer> issuers;
  std::vector<ResourceEndpoint> endpoints = {};  ///< Requests to other paths belong to `resource`.
  ScopeRules scopes = {};
  DpopOptions dpop = {};
  std::vector<std::string> algorithms = {"RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"};
  std::chrono::seconds skew{60};     ///< Tolerated difference of clocks; at most five minutes.
  std::string principal_claim = {};  ///< Claim with the principal; empty for `sub`, or `client:<id>` for a machine.
  std::string resource_name = {};    ///< For people, in the metadata.
  /// Announce that tokens may be bound to client certificates: the listener asks for them.
  bool certificate_bound_tokens = false;
  /// Keys that are accepted instead of a token; their scopes count like those of a token. May be null.
  std::shared_ptr<const ApiKeyCheck> keys = {};
  std::size_t max_cached_tokens = 10'000;
  std::vector<std::string> open_paths = {"/healthz", "/readyz"};  ///< Paths that need no token.
  http::ClientOptions http = {};                                  ///< For requests to the issuers.
  LogSink* log = nullptr;                                         ///< Outlives the check; null for no log.
  std::function<std::chrono::system_clock::time_point()> now = std::chrono::system_clock::now;  ///< For tests.
};

/// Authenticates requests by an OAuth access token (JWT, RFC 9068, or opaque, RFC 7662), serves the metadata of the
/// protected resource (RFC 9728), and answers other requests with challenges (RFC 6750).
///
/// A verified token is kept by its SHA-256 up to its expiry, at most five minutes (one minute if it is opaque); a
/// refused one for ten seconds. A token that is bound to a key needs a DPoP proof (RFC 9449) with every request; one
/// that is bound to a certificate needs that client certificate on its connection (RFC 8705). Without an answer of the
/// issuer requests get a 503, because clients throw their token away after a 401.
///
/// Keys are fetched and opaque tokens are checked on a thread of its own. Thread-safe.
class OAuthCheck final : public http::AccessCheck,
                         public http::OperationCheck,
                         public std::enable_shared_from_this<OAuthCheck> {
 public:
  /// `invalid` if the resource is not an absolute http(s) URL, without issuers, for a file without a usable key, and
  /// for an algorithm that is not supported. Does not wait for keys that have to be fetched.
  static Result<std::shared_ptr<const OAuthCheck>> make(OAuthCheckOptions options);
  ~OAuthCheck() override;

  /// Sets principal, identity and token of the request, or returns a response with a challenge. Ready for a token that
  /// was checked before or that can be checked with the keys at hand.
  Task<std::optional<http::Response>> refuse(http::Request& request) const override;
  /// The metadata of the protected resource.
  std::optional<http::Response> public_document(const http::Request& request) const override;

  /// Returns a 403 that lists all scopes of the operation; nothing if the identity has them.
  std::optional<http::OperationRefusal> refuse_operation(const http::Identity& identity,
                                                         const http::Operation& operation) const override;
  const ScopePolicy& scopes() const;

 private:
  struct State;
  explicit OAuthCheck(std::shared_ptr<State> state);
  static Task<std::optional<http::Response>> refuse_later(std::shared_ptr<State> state, http::Request& request,
                                                          std::string token,
                                                          std::shared_ptr<const http::Identity> certificate);

  std::shared_ptr<State> state_;
};

}  // namespace fairlead::auth
