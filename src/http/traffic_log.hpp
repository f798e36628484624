#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/http/client.hpp>
#include <fairlead/http/message.hpp>

/// Logs HTTP and WebSocket traffic at debug level: "> " before sent and "< " before received data. Heads are logged
/// line by line, without queries and without values of unknown header fields; bodies up to `max_logged_text`. Costs one
/// call if disabled.
namespace fairlead::http::wire {

inline constexpr std::string_view client = "http client";
inline constexpr std::string_view server = "http";
inline constexpr std::string_view socket = "websocket";

void write_head(LogSink& log, std::string_view component, std::string_view direction, std::string_view head);
void write_body(LogSink& log, std::string_view component, std::string_view direction, std::string_view body);
/// The body to log after this head: a form contains codes and other secrets whose names are too general to redact.
std::string_view shown_body(std::string_view head, std::string_view body);
void write_answer(LogSink& log, const ClientResponse& answer);
void write_request(LogSink& log, const Request& request);

/// Logs a sent head and the known part of its body.
inline void sent(LogSink& log, std::string_view component, std::string_view head, std::string_view body) {
  if (!log.enabled(LogLevel::debug)) return;
  write_head(log, component, "> ", head);
  if (!body.empty()) write_body(log, component, "> ", shown_body(head, body));
}

inline void sent_body(LogSink& log, std::string_view component, std::string_view body) {
  if (log.enabled(LogLevel::debug)) write_body(log, component, "> ", body);
}

inline void received_body(LogSink& log, std::string_view component, std::string_view body) {
  if (log.enabled(LogLevel::debug)) write_body(log, component, "< ", body);
}

inline void received(LogSink& log, const ClientResponse& answer) {
  if (log.enabled(LogLevel::debug)) write_answer(log, answer);
}

inline void received(LogSink& log, const Request& request) {
  if (log.enabled(LogLevel::debug)) write_request(log, request);
}

}  // namespace fairlead::http::wire
