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
  Task<http::Response> handle_post(http::Request& request);
  http::Response remove(const http::Request& request);
  std::optional<http::Response> refuse_method(const http::Request& request) const;

  // Responses: streamable_responses.cpp
  struct StatelessCall;
  Task<http::Response> respond_stateless(jsonrpc::Request&& request, PeerInfo&& peer, Duration lifetime);
  static Task<void> run(std::shared_ptr<StatelessCall> call, Task<jsonrpc::Message> responding);
  Task<http::Response> initialize(const http::Request& request, jsonrpc::Request&& initialize);
  Task<http::Response> open_stream(const http::Request& request);
  Task<http::Response> follow(std::shared_ptr<HttpSession> session, store::EventId from, Duration lifetime);
  static std::optional<http::Response> check_stream(const http::Request& request);

  // Sessions: streamable_sessions.cpp
  Result<std::shared_ptr<HttpSession>> open(const http::Request& request);
  void end(const std::shared_ptr<HttpSession>& session);
  static Task<void> wait_for_end(std::shared_ptr<HttpSession> session);
  void end_expired();

  EventLoop loop;
  std::size_t worker;
  SessionFactory& factory;
  StreamableHttpOptions options;
  SessionSettings settings;
  HttpSessionTable sessions;
  TaskScope running;  ///< Tasks of stateless requests, and tasks that end sessions.
  Timer expiry_timer;
};

}  // namespace fairlead::transport
