#pragma once

#include <fairlead/auth/api_keys.hpp>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

struct AuthOptions {
  std::vector<auth::ApiKey> keys = {};    ///< Keys for requests that no listener has authenticated.
  std::vector<std::string> callers = {};  ///< Patterns of callers that may call; empty for all authenticated ones.
};

/// Member of `_meta` with the key of a request whose transport has no headers: `Bearer …` or the key alone.
inline constexpr std::string_view authorization_meta = "fairlead/authorization";

/// Refuses unauthenticated callers. A caller is authenticated by the listener, by a key of the request, or by a key of
/// the session's handshake. Removes the key from the request.
Result<std::unique_ptr<Middleware>> authenticate(AuthOptions options);

}  // namespace fairlead::gateway
