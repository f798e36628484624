#pragma once

#include <fairlead/protocol/model/input.hpp>

namespace fairlead::client {

/// The params of the next round: the original params with the responses and state of this round only.
json::Payload next_round_params(const json::Payload& params, const protocol::InputResponses& responses,
                                const std::optional<std::string>& state);

}  // namespace fairlead::client
