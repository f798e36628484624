#pragma once

#include <fairlead/auth/keyring.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <string>
#include <vector>

namespace fairlead::gateway {

struct AuthOptions {
  std::vector<auth::Key> keys = {};   ///< For those whom no listener has asked who they are.
  std::vector<std::string> who = {};  ///< Patterns for principals; without them everyone who is known may call.
};

/// Where a request brings its key if its transport has no headers: a member of its `_meta`, `Bearer …` or the bare key.
inline constexpr std::string_view authorization_meta = "fairlead/authorization";

/// Lets in who is known: by the listener that asked, by a key that came with the request, or by one that came with the
/// handshake of its conversation. Keys go no further.
Result<std::unique_ptr<Middleware>> authenticate(AuthOptions options);

}  // namespace fairlead::gateway
