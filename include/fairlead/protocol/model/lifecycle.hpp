#pragma once

#include <fairlead/protocol/model/capabilities.hpp>

namespace fairlead::protocol {
// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

/// Everything is optional, because clients in the field leave out each of them.
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
  std::optional<std::string> serverName = {};  ///< Only where the handshake was spelled `mcp/initialize`.
  std::optional<Payload> _meta = {};
  json::Extra extra = {};
};

/// The server's identity is not here: it travels in the result's `_meta`.
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

/// Which notices a `subscriptions/listen` stream carries.
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

/// The subset of the filter that the server will honour.
struct SubscriptionsAcknowledgedParams {
  SubscriptionFilter notifications;
  std::optional<Payload> _meta = {};
};

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol

namespace fairlead::json {

template <>
struct Codec<protocol::InitializeParams> : CompiledOnce<protocol::InitializeParams> {};
template <>
struct Codec<protocol::InitializeResult> : CompiledOnce<protocol::InitializeResult> {};
template <>
struct Codec<protocol::DiscoverResult> : CompiledOnce<protocol::DiscoverResult> {};
template <>
struct Codec<protocol::CancelledParams> : CompiledOnce<protocol::CancelledParams> {};
template <>
struct Codec<protocol::ProgressParams> : CompiledOnce<protocol::ProgressParams> {};
template <>
struct Codec<protocol::SetLevelParams> : CompiledOnce<protocol::SetLevelParams> {};
template <>
struct Codec<protocol::LoggingMessageParams> : CompiledOnce<protocol::LoggingMessageParams> {};
template <>
struct Codec<protocol::SubscriptionsListenParams> : CompiledOnce<protocol::SubscriptionsListenParams> {};
template <>
struct Codec<protocol::SubscriptionsAcknowledgedParams> : CompiledOnce<protocol::SubscriptionsAcknowledgedParams> {};

}  // namespace fairlead::json
