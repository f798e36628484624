#pragma once

#include "config/fields.hpp"
#include "gateway/config/config.hpp"

/// The field tables of a gateway's configuration.
namespace fairlead::config {

template <>
const FieldList<gateway::ServerConfig> Fields<gateway::ServerConfig>::all;
template <>
const FieldList<gateway::RestartConfig> Fields<gateway::RestartConfig>::all;
template <>
const FieldList<gateway::ListenConfig> Fields<gateway::ListenConfig>::all;
template <>
const FieldList<gateway::ListenTlsConfig> Fields<gateway::ListenTlsConfig>::all;
template <>
const FieldList<transport::HttpPaths> Fields<transport::HttpPaths>::all;
template <>
const FieldList<gateway::NamingConfig> Fields<gateway::NamingConfig>::all;
template <>
const FieldList<gateway::PendingInputConfig> Fields<gateway::PendingInputConfig>::all;
template <>
const FieldList<gateway::LogConfig> Fields<gateway::LogConfig>::all;
template <>
const FieldList<gateway::TraceConfig> Fields<gateway::TraceConfig>::all;
/// All keys of the root but the servers.
template <>
const FieldList<gateway::GatewayConfig> Fields<gateway::GatewayConfig>::all;

}  // namespace fairlead::config

namespace fairlead::gateway {

/// Servers that a key is valid for.
enum class AppliesTo : std::uint8_t { all, command, url };

AppliesTo servers_of_key(std::string_view key);

inline bool applies_to(const ServerConfig& server, std::string_view key) {
  const auto servers = servers_of_key(key);
  return servers == AppliesTo::all || (servers == AppliesTo::url) == !server.url.empty();
}

}  // namespace fairlead::gateway
