#include "load/http_request.hpp"

#include <fmt/format.h>

#include "load/request_text.hpp"

namespace fairlead::load {
namespace {

namespace field = protocol::header;

std::string request_start(const HttpManner& manner, std::string_view verb) {
  auto text = fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\n", verb, manner.url.target, manner.url.authority());
  for (const auto& [name, value] : manner.headers) text += fmt::format("{}: {}\r\n", name, value);
  return text;
}

void append_session(std::string& text, const HttpManner& manner) {
  const bool stateless = manner.revision->lifecycle == protocol::Lifecycle::stateless;
  if (!manner.session.empty()) text += fmt::format("{}: {}\r\n", field::session_id, manner.session);
  if (manner.greeted || stateless) {
    text += fmt::format("{}: {}\r\n", field::protocol_version, manner.revision->name);
  }
}

}  // namespace

std::string post_request(const HttpManner& manner, std::string_view body, std::string_view method,
                         std::string_view name) {
  auto text = request_start(manner, "POST");
  text += "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n";
  append_session(text, manner);
  if (manner.revision->method_headers) {
    text += fmt::format("{}: {}\r\n", field::method, method);
    if (!name.empty()) text += fmt::format("{}: {}\r\n", field::name, name);
  }
  return text + fmt::format("Content-Length: {}\r\n\r\n{}", filled_size(body), body);
}

std::string get_request(const HttpManner& manner) {
  auto text = request_start(manner, "GET") + "Accept: text/event-stream\r\n";
  append_session(text, manner);
  return text + "\r\n";
}

std::string delete_request(const HttpManner& manner) {
  auto text = request_start(manner, "DELETE");
  append_session(text, manner);
  return text + "\r\n";
}

std::string upgrade_request(const HttpManner& manner, std::string_view key) {
  return request_start(manner, "GET") + fmt::format(
                                            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                            "Sec-WebSocket-Key: {}\r\nSec-WebSocket-Protocol: mcp\r\n\r\n",
                                            key);
}

}  // namespace fairlead::load
