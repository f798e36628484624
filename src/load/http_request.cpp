#include "load/http_request.hpp"

#include <fmt/format.h>

#include "load/request_text.hpp"

namespace fairlead::load {
namespace {

namespace field = protocol::header;

std::string request_start(const HttpRequestStyle& style, std::string_view verb) {
  auto text = fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\n", verb, style.url.target, style.url.authority());
  for (const auto& [name, value] : style.headers) text += fmt::format("{}: {}\r\n", name, value);
  return text;
}

void append_session(std::string& text, const HttpRequestStyle& style) {
  const bool stateless = style.revision->lifecycle == protocol::Lifecycle::stateless;
  if (!style.session.empty()) text += fmt::format("{}: {}\r\n", field::session_id, style.session);
  if (style.initialized || stateless) {
    text += fmt::format("{}: {}\r\n", field::protocol_version, style.revision->name);
  }
}

}  // namespace

std::string post_request(const HttpRequestStyle& style, std::string_view body, std::string_view method,
                         std::string_view name) {
  auto text = request_start(style, "POST");
  text += "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n";
  append_session(text, style);
  if (style.revision->method_headers) {
    text += fmt::format("{}: {}\r\n", field::method, method);
    if (!name.empty()) text += fmt::format("{}: {}\r\n", field::name, name);
  }
  return text + fmt::format("Content-Length: {}\r\n\r\n{}", filled_size(body), body);
}

std::string get_request(const HttpRequestStyle& style) {
  auto text = request_start(style, "GET") + "Accept: text/event-stream\r\n";
  append_session(text, style);
  return text + "\r\n";
}

std::string delete_request(const HttpRequestStyle& style) {
  auto text = request_start(style, "DELETE");
  append_session(text, style);
  return text + "\r\n";
}

std::string upgrade_request(const HttpRequestStyle& style, std::string_view key) {
  return request_start(style, "GET") + fmt::format(
                                           "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                           "Sec-WebSocket-Key: {}\r\nSec-WebSocket-Protocol: mcp\r\n\r\n",
                                           key);
}

}  // namespace fairlead::load
