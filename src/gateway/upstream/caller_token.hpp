#pragma once

#include <fairlead/session/service.hpp>
#include <memory>
#include <string>

namespace fairlead::gateway {

/// The access token with which a caller authenticated to the gateway.
struct CallerToken {
  std::shared_ptr<const std::string> token = {};  ///< Null if the caller used another kind of credential.
  std::string issuer = {};
};

/// Reads the members `access_token` and `identity` of a request context, if it has them.
template <class Context>
CallerToken caller_token_of(const Context& context) {
  if constexpr (requires { context.access_token, context.identity; }) {
    if (!context.access_token) return {};
    return {.token = context.access_token, .issuer = context.identity ? context.identity->issuer : std::string()};
  } else {
    return {};
  }
}

inline CallerToken caller_token(const session::Call& call) {
  return caller_token_of(call.context);
}

}  // namespace fairlead::gateway
