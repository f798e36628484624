#pragma once

#include "auth/client/form.hpp"
#include "auth/client/metadata.hpp"

namespace fairlead::auth {

/// A successful token response (RFC 6749, section 5.1).
struct TokenResponse {
  std::string access_token = {};
  std::optional<std::string> token_type = {};
  std::optional<std::int64_t> expires_in = {};
  std::optional<std::string> refresh_token = {};
  std::optional<std::string> scope = {};
  std::optional<std::string> id_token = {};
};

/// Where and as which client to ask for a token.
struct TokenClient {
  std::string endpoint = {};
  std::string issuer = {};
  Registration client = {};
  std::optional<std::vector<std::string>> auth_methods = {};
  std::string private_key_pem = {};
  std::string signing_algorithm = {};
  std::shared_ptr<DpopProver> dpop = {};
};

/// The error code of a refused token request, such as `invalid_grant`, in `Error::subject`.
Task<Result<TokenResponse>> request_token(EventLoop loop, const OAuthOptions& options, TokenClient client, Form form);

/// Reads the response of a token endpoint, or the error in it.
Result<TokenResponse> read_token(const http::ClientResponse& response);

/// Checks type and presence of the access token. `is_bound`: the request had a DPoP proof.
Result<void> check_token(const TokenResponse& token, bool is_bound);

/// Adds the authentication of the client to a request to one of the issuer's endpoints.
Result<void> authenticate(const TokenClient& client, http::ClientRequest& request, Form& form);

/// The error of an OAuth endpoint that did not answer with success.
Error endpoint_error(std::string_view what, const http::ClientResponse& response);

std::shared_ptr<DpopProver> make_dpop_prover(const std::string& private_key_pem);
/// A new key for ES256 as PEM.
Result<std::string> new_dpop_key();

}  // namespace fairlead::auth
