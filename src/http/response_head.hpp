#pragma once

#include <cstdint>
#include <ctime>
#include <fairlead/http/cors.hpp>
#include <fairlead/http/message.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::http {

/// The time as HTTP has it, made once a second.
class DateLine {
 public:
  /// With its name and line end.
  std::string_view now();

 private:
  std::time_t second_ = -1;
  std::string text_;
};

enum class BodyKind : std::uint8_t { none, sized, chunked, until_close };

/// What the connection adds to an answer's own head.
struct Delivery {
  BodyKind body = BodyKind::sized;
  bool keep_alive = true;
  bool modern = true;  ///< The client knows HTTP/1.1, where connections stay open unless told otherwise.
  std::string_view origin = {};
};

void append_head(std::string& out, const Response& response, const Delivery& delivery, const Cors& cors,
                 DateLine& date);

/// Whether an answer of that status has a body at all.
constexpr bool may_have_body(std::uint16_t status) {
  return status >= 200 && status != 204 && status != 304;
}

}  // namespace fairlead::http
