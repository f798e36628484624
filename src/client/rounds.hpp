#pragma once

#include <fairlead/protocol/model/input.hpp>
#include <optional>
#include <string>

namespace fairlead::client {

/// The same request once more, with the answers and the state of this round and of no other.
json::Payload next_round(const json::Payload& params, const protocol::InputResponses& responses,
                         const std::optional<std::string>& state);

}  // namespace fairlead::client
