#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/client/options.hpp>
#include <fairlead/session/service.hpp>
#include <string>
#include <vector>

#include "gateway/upstream/restarts.hpp"
#include "gateway/upstream/visit.hpp"

namespace fairlead::gateway {

struct UpstreamOptions;

/// What a caller is told when a server behind the gateway fails: which, how, and whether the call may have been made.
Error unreachable(const std::string& server, const Error& why);
Error not_now(const std::string& server, const Restarts& restarts);
Error too_busy(const std::string& server, std::size_t calls);

/// Takes the secrets out of what somebody else has said.
Error without(const std::vector<std::string>& secrets, Error error);

/// For a caller who did not declare what the server needed.
Error incapable(const Visit::Lack& lack);

/// An error of a call. What the server said itself is passed on, its code as the caller's revision spells it.
Error told_by(const UpstreamOptions& server, Error error, const client::ServerDescription& description,
              const session::Call& call);

}  // namespace fairlead::gateway
