#pragma once

#include <fairlead/protocol/model/input.hpp>
#include <fairlead/session/service.hpp>

namespace fairlead::gateway {

/// The params of an input request as a request of the server: there a URL elicitation has an `elicitationId` instead of
/// a key.
json::Payload as_server_request(const protocol::InputRequest& request, const std::string& key,
                                const session::Call& call);

}  // namespace fairlead::gateway
