#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fairlead/session/service.hpp>
#include <optional>

namespace fairlead::gateway {

/// Maps the code of a server's error from its revision to the caller's; the meaning stays.
Error translate_error(Error error, const protocol::Revision& from, const protocol::Revision& to,
                      const session::Call& call);

/// Error -32042, which asks the client to open `url` and to call again.
Error url_elicitation_error(const std::string& url, const std::string& server);

/// Converts error -32042 to a result of the newest revision that requests the URL elicitations; the client then calls
/// again. Nothing for other errors, and for clients without URL elicitation.
std::optional<session::Reply> url_elicitation_reply(const Error& error, const session::Call& call);

}  // namespace fairlead::gateway
