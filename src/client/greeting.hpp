#pragma once

#include <fairlead/client/options.hpp>
#include <fairlead/session/session.hpp>

namespace fairlead::client {

/// Finds out what a server speaks, and opens the conversation in it.
///
/// It is asked by `server/discover` first. Whatever comes back but an answer, silence included, means a server of the
/// handshake era; no single error code is trusted, because servers in the field answer with any. `closed` means that
/// this connection cannot be used any more: the server has ended it, or may have taken the question for its opening.
/// Open a new one and come back with `Era::handshake_first`. Over HTTP, silence and statuses that are about the caller
/// or a broken server say nothing, and are errors.
Task<Result<ServerDescription>> greet(session::Session& session, const ClientOptions& options,
                                      protocol::ClientCapabilities capabilities, Era era, bool over_http);

}  // namespace fairlead::client
