#pragma once

#include <fairlead/http/message.hpp>

namespace fairlead::http {

/// A plain-text error response.
inline Response error_response(std::uint16_t status, std::string_view why) {
  return {.status = status, .content_type = "text/plain; charset=utf-8", .body = std::string(why) + "\n"};
}

}  // namespace fairlead::http
