#pragma once

#include <fairlead/protocol/model/common.hpp>
#include <map>

namespace fairlead::protocol {
// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

/// A request to the client inside a result: sampling/createMessage, elicitation/create or roots/list.
struct InputRequest {
  std::string method;
  std::optional<Payload> params = {};
  json::Extra extra = {};
};

using InputRequests = std::map<std::string, InputRequest>;

/// The client's responses, by the keys of InputRequests.
using InputResponses = std::map<std::string, Payload>;

/// Asks for input: the client sends the request again with `inputResponses` and the unchanged `requestState`.
struct InputRequiredResult {
  std::optional<InputRequests> inputRequests = {};
  std::optional<std::string> requestState = {};
  std::optional<Payload> _meta = {};
};

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol

namespace fairlead::json {

template <>
struct Codec<protocol::InputRequest> : ExternCodec<protocol::InputRequest> {};
template <>
struct Codec<protocol::InputRequiredResult> : ExternCodec<protocol::InputRequiredResult> {};

}  // namespace fairlead::json
