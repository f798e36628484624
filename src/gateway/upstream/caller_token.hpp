#pragma once

#include <fairlead/http/identity.hpp>
#include <fairlead/session/service.hpp>
#include <memory>
#include <string>

namespace fairlead::gateway {

/// The access token with which a caller authenticated to the gateway.
struct CallerToken {
  std::shared_ptr<const std::string> token = {};  ///< Null if the caller used another kind of credential.
  std::string issuer = {};
};

inline CallerToken caller_token(const session::Call& call) {
  const auto& context = call.context;
  if (!context.access_token) return {};
  return {.token = context.access_token, .issuer = context.identity ? context.identity->issuer : std::string()};
}

}  // namespace fairlead::gateway
