#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/client/options.hpp>
#include <fairlead/session/service.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gateway/upstream/restarts.hpp"
#include "gateway/upstream/visit.hpp"

namespace fairlead::gateway {

struct UpstreamOptions;

/// What a caller is told when a server behind the gateway fails: which, how, and whether the call may have been made.
Error unreachable(const std::string& server, const Error& why);
Error not_now(const std::string& server, const Restarts& restarts);
/// For a server that has left the configuration, or whose gateway ends.
Error stopped(const UpstreamOptions& server);
Error stopped(const std::string& server);
/// The same for a call that was under way.
Error cut_off(const UpstreamOptions& server, const session::Call& call);
Error too_busy(const std::string& server, std::size_t calls);
/// One caller has as many calls waiting as it may have.
Error share_used_up(const std::string& server, std::size_t calls);
/// The server answered with a task of the extension, which nobody could fetch through the gateway.
Error began_a_task(const std::string& server, const session::Call& call);

/// For a call that reached the limit of its whole time, which signs of progress do not move.
Error over_time(const UpstreamOptions& server, const session::Call& call);
/// For a call whose server asked its client something, where the client did not answer in time,
Error no_answer(const std::string& server, const session::Call& call, const Error& why);
/// or did not declare the capability, given as JSON, that it takes.
Error undeclared(const std::string& server, const session::Call& call, const std::string& question,
                 const std::string& capability);

/// For a subscription that the server took without a word.
Error not_acknowledged(const std::string& server, const Error& why);

/// Takes the secrets out of what somebody else has said.
Error without(const std::vector<std::string>& secrets, Error error);

/// For a caller who did not declare what the server needed.
Error incapable(const Visit::Lack& lack);

/// A -32042 as the newest revision puts it: a result that asks the caller to visit the pages, after which it calls
/// again. Nothing for other errors, and for callers that cannot be asked so.
std::optional<session::Reply> asked_to_visit(const Error& error, const session::Call& call);

/// An error of a call. What the server said itself is passed on, its code as the caller's revision spells it.
Error told_by(const UpstreamOptions& server, Error error, const client::ServerDescription& description,
              const session::Call& call);

}  // namespace fairlead::gateway
