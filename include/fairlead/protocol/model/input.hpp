#pragma once

#include <fairlead/protocol/model/common.hpp>
#include <map>

namespace fairlead::protocol {
// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

/// A question to the client inside a result: sampling/createMessage, elicitation/create or roots/list.
struct InputRequest {
  std::string method;
  std::optional<Payload> params = {};
  json::Extra extra = {};
};

using InputRequests = std::map<std::string, InputRequest>;

/// The answers, by the same keys.
using InputResponses = std::map<std::string, Payload>;

/// Ends a round: the client answers and sends the request again, with the state untouched.
struct InputRequiredResult {
  std::optional<InputRequests> inputRequests = {};
  std::optional<std::string> requestState = {};
  std::optional<Payload> _meta = {};
};

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol

namespace fairlead::json {

template <>
struct Codec<protocol::InputRequest> : CompiledOnce<protocol::InputRequest> {};
template <>
struct Codec<protocol::InputRequiredResult> : CompiledOnce<protocol::InputRequiredResult> {};

}  // namespace fairlead::json
