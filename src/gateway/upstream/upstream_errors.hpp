#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/client/options.hpp>
#include <fairlead/session/service.hpp>
#include <string>
#include <vector>

#include "gateway/upstream/active_call.hpp"
#include "gateway/upstream/restart_backoff.hpp"

namespace fairlead::gateway {

struct UpstreamOptions;

/// Errors for callers: which server failed, how, and whether the call may have been executed.
Error unreachable(const std::string& server, const Error& why);
Error backing_off(const std::string& server, const RestartBackoff& backoff);
/// The server was removed from the configuration, or the gateway is shutting down.
Error stopped(const UpstreamOptions& server);
Error stopped(const std::string& server);
/// Like `stopped`, for a call in flight.
Error stopped_during_call(const UpstreamOptions& server, const session::Call& call);
Error queue_full(const std::string& server, std::size_t calls);
/// The caller has used up its share of the queue.
Error caller_queue_full(const std::string& server, std::size_t calls);
/// A limit that callers share is used up; `message` names it and reaches the client.
Error limit_reached(const std::string& server, std::string message);
/// The caller is not authenticated as the server's configuration requires; `message` says what to do.
Error unsuitable_caller(const std::string& server, std::string message);
/// The server requested input too many times in one call.
Error too_many_input_rounds(const std::string& server, const session::Call& call, std::size_t rounds);
/// A task that the gateway waits for took too long.
Error task_timeout(const std::string& server, const session::Call& call);
/// The server answered with a task of the extension, whose result cannot be fetched through the gateway.
Error unsupported_task(const std::string& server, const session::Call& call);

/// The call exceeded its total timeout, which progress notifications do not extend.
Error total_timeout(const UpstreamOptions& server, const session::Call& call);
/// The client did not answer a request of the server in time.
Error client_did_not_answer(const std::string& server, const session::Call& call, const Error& why);
/// The client did not declare the capability (as JSON) that a request of the server needs.
Error undeclared_capability(const std::string& server, const session::Call& call, const std::string& method,
                            const std::string& capability);

/// The gateway has no valid credential for the server. `why` is a credential error, with a link in `data.url` if a user
/// can sign in there.
Error sign_in_error(const std::string& server, const Error& why);
/// The reply to a call that failed with a sign_in_error(): the link as a URL elicitation if the client supports it,
/// otherwise as a failure of the tool. Errors without a link are passed on.
Result<session::Reply> sign_in_reply(Error error, const session::Call& call);

/// The server did not acknowledge a subscription.
Error not_acknowledged(const std::string& server, const Error& why);

/// Removes secrets from the texts of an error.
Error redacted(const std::vector<std::string>& secrets, Error error);

/// The client did not declare a capability that the server needs.
Error missing_capability_error(const ActiveCall::MissingCapability& missing);

/// Maps an error of a call for its caller. Errors of the server are passed on, with the error code of the caller's
/// revision.
Error map_error(const UpstreamOptions& server, Error error, const client::ServerDescription& description,
                const session::Call& call);

}  // namespace fairlead::gateway
