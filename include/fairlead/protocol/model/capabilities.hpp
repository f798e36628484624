#pragma once

#include <fairlead/protocol/model/common.hpp>
#include <map>

namespace fairlead::protocol {
// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

using Settings = std::map<std::string, Payload>;

struct ListChanged {
  std::optional<bool> listChanged = {};
  json::Extra extra = {};
};

struct SamplingCapability {
  std::optional<Payload> context = {};
  std::optional<Payload> tools = {};
  json::Extra extra = {};
};

/// Without any member, only form mode is supported.
struct ElicitationCapability {
  std::optional<Payload> form = {};
  std::optional<Payload> url = {};
  json::Extra extra = {};
};

/// Client capabilities. Unknown members are kept.
struct ClientCapabilities {
  std::optional<ListChanged> roots = {};
  std::optional<SamplingCapability> sampling = {};
  std::optional<ElicitationCapability> elicitation = {};
  std::optional<Payload> tasks = {};
  std::optional<Settings> extensions = {};
  std::optional<Settings> experimental = {};
  json::Extra extra = {};
};

struct ResourcesCapability {
  std::optional<bool> subscribe = {};
  std::optional<bool> listChanged = {};
  json::Extra extra = {};
};

/// Server capabilities. The methods of an absent capability do not exist on the server.
struct ServerCapabilities {
  std::optional<ListChanged> tools = {};
  std::optional<ResourcesCapability> resources = {};
  std::optional<ListChanged> prompts = {};
  std::optional<Payload> completions = {};
  std::optional<Payload> logging = {};
  std::optional<Payload> tasks = {};
  std::optional<Settings> extensions = {};
  std::optional<Settings> experimental = {};
  json::Extra extra = {};
};

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol

namespace fairlead::json {

template <>
struct Codec<protocol::ClientCapabilities> : ExternCodec<protocol::ClientCapabilities> {};
template <>
struct Codec<protocol::ServerCapabilities> : ExternCodec<protocol::ServerCapabilities> {};

}  // namespace fairlead::json
