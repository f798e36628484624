#pragma once

#include <fairlead/http/message.hpp>

namespace fairlead::transport {

inline constexpr std::string_view json_type = "application/json";
inline constexpr std::string_view event_stream = "text/event-stream";

/// True if Content-Type is this type, with any parameters, and the body is not compressed (compression is not
/// supported).
bool has_type(const http::Request& request, std::string_view type);

/// True if the client accepts this type. Without an Accept header it accepts any (RFC 9110, section 12.5.1).
bool accepts(const http::Request& request, std::string_view type);

/// True if the client names this type; wildcards do not count.
bool accepts_explicitly(const http::Request& request, std::string_view type);

}  // namespace fairlead::transport
