#pragma once

#include <ctime>
#include <fairlead/http/cors.hpp>
#include <fairlead/http/message.hpp>

namespace fairlead::http {

/// The Date header, updated once a second.
class DateCache {
 public:
  /// The complete header line.
  std::string_view now();

 private:
  std::time_t second_ = -1;
  std::string text_;
};

enum class BodyKind : std::uint8_t { none, sized, chunked, until_close };

/// Headers that the connection adds to a response.
struct ResponseFraming {
  BodyKind body = BodyKind::sized;
  bool keep_alive = true;
  bool http11 = true;  ///< The client uses HTTP/1.1, where connections persist by default.
  std::string_view origin = {};
  const Header* extra = nullptr;  ///< A header that an access check adds; may be null.
};

void append_head(std::string& out, const Response& response, const ResponseFraming& framing, const Cors& cors,
                 DateCache& date);

/// True if a response of that status may have a body.
constexpr bool may_have_body(std::uint16_t status) {
  return status >= 200 && status != 204 && status != 304;
}

}  // namespace fairlead::http
