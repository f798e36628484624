#pragma once

#include <fairlead/protocol/model/capabilities.hpp>

namespace fairlead::protocol {
// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

/// All members are optional, because existing clients omit each of them.
struct InitializeParams {
  std::optional<std::string> protocolVersion = {};
  std::optional<ClientCapabilities> capabilities = {};
  std::optional<Implementation> clientInfo = {};
  std::optional<Payload> _meta = {};
};

struct InitializeResult {
  std::string protocolVersion;
  ServerCapabilities capabilities;
  Implementation serverInfo;
  std::optional<std::string> instructions = {};
  std::optional<std::string> serverName = {};  ///< Only for the alias `mcp/initialize`.
  std::optional<Payload> _meta = {};
  json::Extra extra = {};
};

/// The server info is in the result's `_meta`.
struct DiscoverResult {
  std::vector<std::string> supportedVersions;
  ServerCapabilities capabilities;
  std::optional<std::string> instructions = {};
  std::optional<std::int64_t> ttlMs = {};
  std::optional<CacheScope> cacheScope = {};
  std::optional<Payload> _meta = {};
  json::Extra extra = {};
};

struct CancelledParams {
  std::optional<Id> requestId = {};
  std::optional<std::string> reason = {};
  std::optional<Payload> _meta = {};
};

struct ProgressParams {
  static constexpr bool initialisers_are_defaults = false;
  Id progressToken;
  double progress = 0;
  std::optional<double> total = {};
  std::optional<std::string> message = {};
  std::optional<Payload> _meta = {};
};

struct SetLevelParams {
  static constexpr bool initialisers_are_defaults = false;
  LoggingLevel level = LoggingLevel::info;
  std::optional<Payload> _meta = {};
};

struct LoggingMessageParams {
  static constexpr bool initialisers_are_defaults = false;
  LoggingLevel level = LoggingLevel::info;
  std::optional<std::string> logger = {};
  Payload data;
  std::optional<Payload> _meta = {};
};

/// The notifications that a `subscriptions/listen` stream delivers.
struct SubscriptionFilter {
  std::optional<bool> toolsListChanged = {};
  std::optional<bool> promptsListChanged = {};
  std::optional<bool> resourcesListChanged = {};
  std::optional<std::vector<std::string>> resourceSubscriptions = {};
  std::optional<std::vector<std::string>> taskIds = {};
};

struct SubscriptionsListenParams {
  SubscriptionFilter notifications;
  std::optional<Payload> _meta = {};
};

/// The part of the requested filter that the server supports.
struct SubscriptionsAcknowledgedParams {
  SubscriptionFilter notifications;
  std::optional<Payload> _meta = {};
};

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol

namespace fairlead::json {

template <>
struct Codec<protocol::InitializeParams> : ExternCodec<protocol::InitializeParams> {};
template <>
struct Codec<protocol::InitializeResult> : ExternCodec<protocol::InitializeResult> {};
template <>
struct Codec<protocol::DiscoverResult> : ExternCodec<protocol::DiscoverResult> {};
template <>
struct Codec<protocol::CancelledParams> : ExternCodec<protocol::CancelledParams> {};
template <>
struct Codec<protocol::ProgressParams> : ExternCodec<protocol::ProgressParams> {};
template <>
struct Codec<protocol::SetLevelParams> : ExternCodec<protocol::SetLevelParams> {};
template <>
struct Codec<protocol::LoggingMessageParams> : ExternCodec<protocol::LoggingMessageParams> {};
template <>
struct Codec<protocol::SubscriptionsListenParams> : ExternCodec<protocol::SubscriptionsListenParams> {};
template <>
struct Codec<protocol::SubscriptionsAcknowledgedParams> : ExternCodec<protocol::SubscriptionsAcknowledgedParams> {};

}  // namespace fairlead::json
