#pragma once

#include <cstdint>

#include "config/fields.hpp"
#include "gateway/config/config.hpp"

/// The field tables of a gateway's configuration.
namespace fairlead::config {

template <>
std::span<const Field<gateway::ServerConfig>> fields();
template <>
std::span<const Field<gateway::RestartConfig>> fields();
template <>
std::span<const Field<gateway::ListenConfig>> fields();
template <>
std::span<const Field<gateway::ListenTlsConfig>> fields();
template <>
std::span<const Field<transport::HttpPaths>> fields();
template <>
std::span<const Field<gateway::NamingConfig>> fields();
template <>
std::span<const Field<gateway::PendingInputConfig>> fields();
template <>
std::span<const Field<gateway::LogConfig>> fields();
template <>
std::span<const Field<gateway::TraceConfig>> fields();
/// All keys of the root but the servers.
template <>
std::span<const Field<gateway::GatewayConfig>> fields();

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
