#pragma once

#include "auth/client/metadata.hpp"

namespace fairlead::auth {

/// True if the server accepts a client ID metadata document, and there is one and no pre-registered client.
bool uses_metadata_document(const OAuthOptions& options, const Discovered& found);

/// Chooses the client id: pre-registered, stored registration, metadata document, dynamic registration.
Task<Result<Registration>> choose_client(EventLoop loop, const OAuthOptions& options, const Discovered& found,
                                         std::string redirect_uri, std::optional<Stored> stored);

}  // namespace fairlead::auth
