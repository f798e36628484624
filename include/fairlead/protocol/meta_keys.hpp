#pragma once

#include <array>
#include <string_view>

/// The reserved keys of `_meta`.
namespace fairlead::protocol::meta {

inline constexpr std::string_view progress_token = "progressToken";
inline constexpr std::string_view protocol_version = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view client_capabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view client_info = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view log_level = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view server_info = "io.modelcontextprotocol/serverInfo";
/// The task that a message belongs to (handshake era): `{"taskId": …}`.
inline constexpr std::string_view related_task = "io.modelcontextprotocol/related-task";
inline constexpr std::string_view subscription_id = "io.modelcontextprotocol/subscriptionId";

/// The keys that hold client information in a stateless request.
inline constexpr std::array envelope = {protocol_version, client_capabilities, client_info, log_level};

/// W3C Trace Context and Baggage; the header fields have the same names.
inline constexpr std::array trace = {std::string_view("traceparent"), std::string_view("tracestate"),
                                     std::string_view("baggage")};

}  // namespace fairlead::protocol::meta
