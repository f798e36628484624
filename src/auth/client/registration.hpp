#pragma once

#include "auth/client/metadata.hpp"

namespace fairlead::auth {

/// Chooses the client id: pre-registered, metadata document, stored registration, dynamic registration.
Task<Result<Registration>> choose_client(EventLoop loop, const OAuthOptions& options, const Discovered& found,
                                         std::string redirect_uri, std::optional<Stored> stored);

}  // namespace fairlead::auth
