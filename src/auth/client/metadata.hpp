#pragma once

#include <fairlead/auth/credential.hpp>
#include <fairlead/auth/oauth.hpp>
#include <optional>
#include <string>
#include <vector>

namespace fairlead::auth {

/// Protected resource metadata (RFC 9728): the members that a client uses.
struct ResourceMetadata {
  std::optional<std::string> resource = {};
  std::optional<std::vector<std::string>> authorization_servers = {};
  std::optional<std::vector<std::string>> scopes_supported = {};
  std::optional<std::vector<std::string>> dpop_signing_alg_values_supported = {};
  std::optional<bool> dpop_bound_access_tokens_required = {};
};

/// Authorization server metadata (RFC 8414): the members that a client uses.
struct ServerMetadata {
  std::optional<std::string> issuer = {};
  std::optional<std::string> authorization_endpoint = {};
  std::optional<std::string> token_endpoint = {};
  std::optional<std::string> registration_endpoint = {};
  std::optional<std::string> revocation_endpoint = {};
  std::optional<std::string> device_authorization_endpoint = {};
  std::optional<std::string> jwks_uri = {};
  std::optional<std::string> introspection_endpoint = {};
  std::optional<std::vector<std::string>> introspection_endpoint_auth_methods_supported = {};
  std::optional<std::vector<std::string>> scopes_supported = {};
  std::optional<std::vector<std::string>> response_types_supported = {};
  std::optional<std::vector<std::string>> code_challenge_methods_supported = {};
  std::optional<std::vector<std::string>> token_endpoint_auth_methods_supported = {};
  std::optional<std::vector<std::string>> dpop_signing_alg_values_supported = {};
  std::optional<bool> client_id_metadata_document_supported = {};
  std::optional<bool> authorization_response_iss_parameter_supported = {};
};

/// What discovery found out about a server.
struct Discovered {
  ResourceMetadata resource = {};
  ServerMetadata server = {};
  std::string issuer = {};
  bool has_resource_metadata = false;
  bool has_server_metadata = false;
};

/// The limits of one request of the flow.
inline constexpr std::size_t max_document = std::size_t{64} * 1024;

/// Checks that metadata is for this server: `resource` is its URL, or a prefix of its path on the same origin.
Result<void> check_resource(const std::string& server, const ResourceMetadata& metadata);
/// Checks that metadata is of this issuer, and that a client may use its endpoints with the grant.
Result<void> check_server(const ServerMetadata& metadata, const std::string& issuer, Grant grant);

/// True if metadata and endpoints must have public addresses, because the server itself is not on a private network.
/// Otherwise a server on the Internet could make the client send requests into the network that it runs in.
bool needs_public_issuer(const OAuthOptions& options, const Challenge& challenge);

bool lists(const std::optional<std::vector<std::string>>& values, std::string_view value);

/// Requests to endpoints of an authorization server. Not written in coroutines: GCC 12 destroys the arrays of braced
/// lists twice there.
http::ClientRequest get_request(std::string url);
http::ClientRequest post_request(std::string url, std::string content_type);

/// Sends a request without following redirects.
Task<Result<http::ClientResponse>> fetch_direct(EventLoop loop, http::ClientOptions options,
                                                http::ClientRequest request, Duration timeout);

/// What the server answers to a request without a token. `status` is 401 if it requires a sign-in.
Task<Result<Challenge>> fetch_challenge(EventLoop loop, OAuthOptions options);

/// The metadata of an issuer, which it must name exactly; nothing if it has none.
Task<Result<std::optional<ServerMetadata>>> fetch_issuer_metadata(EventLoop loop, http::ClientOptions options,
                                                                  std::string issuer);

/// Finds the authorization server of `options.server`. `known_issuer` is preferred if the server lists it.
Task<Result<Discovered>> discover(EventLoop loop, OAuthOptions options, Challenge challenge, std::string known_issuer);

}  // namespace fairlead::auth
