#pragma once

#include <fairlead/auth/oauth_check.hpp>
#include <fairlead/http/message.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::auth {

/// URLs and texts of a protected resource (RFC 9728), made once.
struct ResourceDescription {
  std::string url;            ///< The resource itself.
  std::string origin;         ///< Scheme and authority of the resource.
  std::string metadata_path;  ///< Path of the metadata on this server.
  std::string metadata_url;
  std::string metadata;      ///< The JSON document.
  std::string basic_scopes;  ///< For challenges without an operation; may be empty.
};

/// `invalid` if the resource is not an absolute http(s) URL without query and fragment.
Result<ResourceDescription> describe_resource(const std::string& resource, const OAuthCheckOptions& options);

/// The document at its path, for any page; the request has been checked to ask for it.
http::Response metadata_response(const ResourceDescription& resource, std::string_view method);

/// A 429 for an address that sends many invalid tokens.
http::Response too_many_failures();

/// A 503 for a token that cannot be checked because its issuer gives no answer.
http::Response issuer_unavailable();

/// A response with `WWW-Authenticate: Bearer` (RFC 6750, 3). `error` is empty if the request had no token.
/// `description` goes into the challenge and the body; it contains nothing of the token.
http::Response challenge(const ResourceDescription& resource, std::uint16_t status, std::string_view error,
                         std::string_view description, std::string_view scopes);

/// A 401 with `WWW-Authenticate: DPoP` (RFC 9449, 7.1).
http::Response dpop_challenge(const ResourceDescription& resource, std::string_view algorithms, std::string_view error,
                              std::string_view description);

/// The token of a request, or the response to a request without exactly one. Its characters are not checked.
struct PresentedToken {
  std::string_view token;
  bool dpop = false;
};
std::expected<PresentedToken, http::Response> presented_token(const http::Request& request,
                                                              const ResourceDescription& resource);

/// A 400 if the token has other characters than RFC 6750 allows. A token that was accepted before has none.
std::optional<http::Response> refuse_characters(std::string_view token, const ResourceDescription& resource);

}  // namespace fairlead::auth
