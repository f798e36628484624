#pragma once

#include "auth/client/token_request.hpp"

namespace fairlead::auth {

/// The input of one authorization: who asks, where, and what for.
struct Authorization {
  const OAuthOptions& options;
  SignIn& sign_in;
  Discovered found = {};
  std::optional<Stored> stored = {};  ///< The earlier login, if any.
  std::string scope = {};
  bool use_dpop = false;
};

/// Values of one authorization request that its callback and token request must match. Never stored.
struct Pending {
  std::string state = random_text(32);
  std::string verifier = random_text(32);
};

/// The code in the URL that a browser was redirected to. Checks address, `state` and `iss` before the rest.
Result<std::string> read_callback(std::string_view url, const std::string& redirect_uri, const Pending& pending,
                                  const Discovered& found);

/// The `resource` parameter; empty for none.
std::string resource_parameter(const OAuthOptions& options, const Discovered& found);

/// Gets a token with the grant of the options. Not stored yet.
Task<Result<Stored>> authorize(EventLoop loop, Authorization input);

/// The grants that need no user.
Task<Result<Stored>> authorize_without_user(EventLoop loop, Authorization input);
Task<Result<Stored>> authorize_device(EventLoop loop, Authorization input);

/// A new key if the token is to be bound to one, as PEM; empty otherwise.
Result<std::string> dpop_key_for(const Authorization& input);

/// Client and endpoint for the token requests of a login.
TokenClient token_client(const OAuthOptions& options, const Discovered& found, Registration client,
                         std::shared_ptr<DpopProver> dpop);

/// Turns a token response into a login. The scope that was input for is used if the response has none.
Result<Stored> make_login(const Authorization& input, const TokenClient& client, TokenResponse token,
                          std::string dpop_key);

/// Uses a refresh token. Only `invalid_grant` clears the one in the result.
Task<Result<Stored>> refresh(EventLoop loop, const OAuthOptions& options, Stored login,
                             std::shared_ptr<DpopProver> dpop, std::optional<std::vector<std::string>> auth_methods);

}  // namespace fairlead::auth
