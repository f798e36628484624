#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/http/client.hpp>
#include <fairlead/http/message.hpp>
#include <string_view>

/// Shows in a log, on its level for debugging, what goes over a connection: "> " before what is sent and "< " before
/// what comes; heads line by line, without queries and without the values of fields that are not known to be harmless;
/// bodies up to `max_logged_text`. Off, each costs one call.
namespace fairlead::http::wire {

inline constexpr std::string_view client = "http client";
inline constexpr std::string_view server = "http";
inline constexpr std::string_view socket = "websocket";

void write_head(LogSink& log, std::string_view component, std::string_view direction, std::string_view head);
void write_body(LogSink& log, std::string_view component, std::string_view direction, std::string_view body);
void write_answer(LogSink& log, const ClientResponse& answer);
void write_answer(LogSink& log, const WholeAnswer& answer);
void write_request(LogSink& log, const Request& request);

/// A head as it goes out, and its body as far as it is known.
inline void sent(LogSink& log, std::string_view component, std::string_view head, std::string_view body) {
  if (!log.enabled(LogLevel::debug)) return;
  write_head(log, component, "> ", head);
  if (!body.empty()) write_body(log, component, "> ", body);
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

inline void received(LogSink& log, const WholeAnswer& answer) {
  if (log.enabled(LogLevel::debug)) write_answer(log, answer);
}

inline void received(LogSink& log, const Request& request) {
  if (log.enabled(LogLevel::debug)) write_request(log, request);
}

}  // namespace fairlead::http::wire
