#pragma once

#include <fairlead/http/message.hpp>
#include <string_view>

namespace fairlead::transport {

inline constexpr std::string_view json_type = "application/json";
inline constexpr std::string_view event_stream = "text/event-stream";

/// Whether the body is said to be of this type, whatever parameters follow, and not to be compressed: we unpack
/// nothing.
bool has_type(const http::Request& request, std::string_view type);

/// Whether the client takes an answer of this type. One that says nothing takes anything (RFC 9110, section 12.5.1).
bool accepts(const http::Request& request, std::string_view type);

/// The same, but a type that only `*/*` covers does not count.
bool names(const http::Request& request, std::string_view type);

}  // namespace fairlead::transport
