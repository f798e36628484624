#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fairlead/session/service.hpp>
#include <optional>

namespace fairlead::gateway {

/// Maps the code of a server's error from its revision to the caller's; the meaning stays.
Error translate_error(Error error, const protocol::Revision& from, const protocol::Revision& to,
                      const session::Call& call);

/// Converts error -32042 to a result of the newest revision that requests the URL elicitations; the client then calls
/// again. Nothing for other errors, and for clients without URL elicitation.
std::optional<session::Reply> url_elicitation_reply(const Error& error, const session::Call& call);

}  // namespace fairlead::gateway
