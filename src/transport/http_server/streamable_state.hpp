#pragma once

#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/transport/streamable_http.hpp>

#include "transport/http_server/post_classifier.hpp"

namespace fairlead::transport {

/// State of a `StreamableHttp` endpoint.
struct StreamableHttpState {
  StreamableHttpState(EventLoop loop, std::size_t worker, SessionFactory& factory, StreamableHttpOptions options);

  // Requests: streamable_http.cpp
  std::optional<http::Response> answer_post(http::Request& request);
  std::optional<http::Response> answer_in_session(SessionPost& post);
  std::optional<http::Response> answer_alone(ClassifiedPost& post, const http::Request& request);
  http::Response accept(SessionPost& post);
  http::Response remove(const http::Request& request);
  std::optional<http::Response> refuse_method(const http::Request& request) const;
  std::optional<http::Response> check_stream(const http::Request& request) const;

  // Responses that need a coroutine: streamable_serve.cpp
  Task<void> serve_post(http::Exchange& exchange, ClassifiedPost post);
  Task<void> serve_stateless(http::Exchange& exchange, StatelessPost post);
  Task<void> serve_initialize(http::Exchange& exchange, InitializePost post);
  Task<void> serve_in_session(http::Exchange& exchange, SessionPost post);
  Task<void> serve_stream(http::Exchange& exchange);
  Task<void> follow(http::Exchange& exchange, std::shared_ptr<HttpSession> session, store::EventId from);

  // Sessions: streamable_sessions.cpp
  Result<std::shared_ptr<HttpSession>> open(const http::Request& request);
  void end(const std::shared_ptr<HttpSession>& session);
  static Task<void> wait_for_end(std::shared_ptr<HttpSession> session);
  void end_expired();

  PeerInfo peer_info(const http::Request& request) const { return {.principal = request.principal, .name = "http"}; }

  EventLoop loop;
  std::size_t worker;
  SessionFactory& factory;
  StreamableHttpOptions options;
  SessionSettings settings;
  HttpSessionTable sessions;
  TaskScope running;  ///< Tasks that end sessions.
  Timer expiry_timer;
};

}  // namespace fairlead::transport
