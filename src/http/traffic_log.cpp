#include "http/traffic_log.hpp"

#include <algorithm>
#include <fairlead/base/redactor.hpp>
#include <fairlead/protocol/headers.hpp>
#include <fmt/format.h>

#include "base/log_excerpt.hpp"

namespace fairlead::http::wire {
namespace {

// Redacted here, because a custom sink may not redact.
const Redactor& wire_redactor() {
  static const Redactor redactor;
  return redactor;
}

void write_line(LogSink& log, std::string_view component, std::string_view direction, std::string_view line) {
  log.write(LogLevel::debug, component, std::string(direction) + wire_redactor().redact(line));
}

// Header fields whose values are logged. Other values may be credentials: only their names are logged.
constexpr auto plain_fields = std::to_array<std::string_view>({"Accept",
                                                               "Accept-Encoding",
                                                               "Access-Control-Allow-Headers",
                                                               "Access-Control-Allow-Methods",
                                                               "Access-Control-Allow-Origin",
                                                               "Access-Control-Expose-Headers",
                                                               "Access-Control-Request-Headers",
                                                               "Access-Control-Request-Method",
                                                               "Allow",
                                                               "Cache-Control",
                                                               "Connection",
                                                               "Content-Encoding",
                                                               "Content-Length",
                                                               "Content-Type",
                                                               "Date",
                                                               "Expect",
                                                               "Host",
                                                               "Keep-Alive",
                                                               "Last-Event-ID",
                                                               "Mcp-Method",
                                                               "Mcp-Name",
                                                               "MCP-Protocol-Version",
                                                               "Origin",
                                                               "Retry-After",
                                                               "Sec-WebSocket-Protocol",
                                                               "Sec-WebSocket-Version",
                                                               "Server",
                                                               "Traceparent",
                                                               "Transfer-Encoding",
                                                               "Upgrade",
                                                               "User-Agent",
                                                               "Vary",
                                                               "Via",
                                                               "WWW-Authenticate"});

std::string shown_field(std::string_view name, std::string_view value) {
  const bool is_plain =
      std::ranges::any_of(plain_fields, [&](std::string_view plain) { return protocol::same_header(plain, name); });
  return fmt::format("{}: {}", name, is_plain ? value : Redactor::mark);
}

// In a request line the query is removed: it may contain a key.
std::string shown_start(std::string_view line) {
  const auto query = line.find('?');
  if (query == std::string_view::npos) return std::string(line);
  const auto end = std::min(line.find(' ', query), line.size());
  return fmt::format("{}?{}{}", line.substr(0, query), Redactor::mark, line.substr(end));
}

void write_fields(LogSink& log, std::string_view component, const auto& fields) {
  for (const auto& field : fields) write_line(log, component, "< ", shown_field(field.name, field.value));
}

}  // namespace

void write_head(LogSink& log, std::string_view component, std::string_view direction, std::string_view head) {
  bool is_first = true;
  while (!head.empty() && !head.starts_with("\r\n")) {
    const auto line = head.substr(0, head.find("\r\n"));
    const auto colon = std::min(line.find(':'), line.size());
    const auto value = line.substr(std::min(line.find_first_not_of(": ", colon), line.size()));
    const bool is_start = std::exchange(is_first, false);
    write_line(log, component, direction, is_start ? shown_start(line) : shown_field(line.substr(0, colon), value));
    head.remove_prefix(std::min(line.size() + 2, head.size()));
  }
}

void write_body(LogSink& log, std::string_view component, std::string_view direction, std::string_view body) {
  log.write(LogLevel::debug, component, fmt::format("{}body={}", direction, log_excerpt(wire_redactor().redact(body))));
}

std::string_view shown_body(std::string_view head, std::string_view body) {
  return head.contains("application/x-www-form-urlencoded") ? Redactor::mark : body;
}

void write_answer(LogSink& log, const ClientResponse& answer) {
  write_line(log, client, "< ", fmt::format("HTTP/1.1 {} {}", answer.status, reason_phrase(answer.status)));
  write_fields(log, client, answer.headers);
}

void write_request(LogSink& log, const Request& request) {
  write_line(log, server, "< ",
             shown_start(fmt::format("{} {} from {}", request.method, request.target, request.remote)));
  write_fields(log, server, request.headers);
  if (!request.body.empty()) write_body(log, server, "< ", request.body);
}

}  // namespace fairlead::http::wire
