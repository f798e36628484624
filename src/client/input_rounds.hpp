#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/protocol/model/input.hpp>

namespace fairlead::client {

class ClientRequestHandler;

/// Answers the input requests of a server, one after the other, with the handlers of the client.
Task<Result<protocol::InputResponses>> respond_to(ClientRequestHandler& handler, protocol::InputRequests requests);

/// The params of the next round: the original params with the responses and state of this round only.
json::Payload next_round_params(const json::Payload& params, const protocol::InputResponses& responses,
                                const std::optional<std::string>& state);

}  // namespace fairlead::client
