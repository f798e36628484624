#pragma once

#include <fairlead/client/options.hpp>
#include <fairlead/session/session.hpp>

namespace fairlead::client {

/// Chooses era and revision and opens the session.
///
/// With EraPreference::automatic it sends server/discover first. Any other outcome than a valid result, also a timeout,
/// means a server of the handshake era: servers return all kinds of error codes for an unknown method. Over HTTP, a
/// timeout and statuses such as 401, 429 or 5xx are final errors.
///
/// `closed` means that this connection cannot be used any more: the server closed it, or may have taken server/discover
/// for its handshake. Retry on a new connection with `EraPreference::handshake_first`.
Task<Result<ServerDescription>> negotiate(session::Session& session, const ClientOptions& options,
                                          protocol::ClientCapabilities capabilities, EraPreference era, bool over_http);

}  // namespace fairlead::client
