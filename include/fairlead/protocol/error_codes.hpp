#pragma once

#include <cstdint>

/// Error codes that MCP defines in addition to those of JSON-RPC.
namespace fairlead::protocol::code {

inline constexpr std::int64_t resource_not_found = -32002;
inline constexpr std::int64_t header_mismatch = -32020;
inline constexpr std::int64_t missing_capability = -32021;
inline constexpr std::int64_t unsupported_version = -32022;
inline constexpr std::int64_t url_elicitation = -32042;

}  // namespace fairlead::protocol::code
