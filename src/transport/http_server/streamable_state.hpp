#pragma once

#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/transport/streamable_http.hpp>

#include "transport/http_server/post.hpp"

namespace fairlead::transport {

/// All that an endpoint knows.
struct StreamableHttp::State {
  State(Loop loop, std::size_t worker, Host& host, StreamableHttpOptions options);

  // Requests: streamable_http.cpp
  std::optional<http::Response> answer_post(http::Request& request);
  std::optional<http::Response> answer_in_session(SessionPost& post);
  std::optional<http::Response> answer_alone(SortedPost& post, const http::Request& request);
  http::Response take(SessionPost& post);
  http::Response remove(const http::Request& request);
  std::optional<http::Response> refuse_method(const http::Request& request) const;
  std::optional<http::Response> check_stream(const http::Request& request) const;

  // Answers that take time: streamable_serve.cpp
  Task<void> serve_post(http::Exchange& exchange, SortedPost post);
  Task<void> serve_stateless(http::Exchange& exchange, StatelessPost post);
  Task<void> serve_opening(http::Exchange& exchange, OpeningPost post);
  Task<void> serve_in_session(http::Exchange& exchange, SessionPost post);
  Task<void> serve_stream(http::Exchange& exchange);
  Task<void> follow(http::Exchange& exchange, std::shared_ptr<HttpSession> session, store::EventId from);

  // Sessions: streamable_sessions.cpp
  Result<std::shared_ptr<HttpSession>> open(const http::Request& request);
  void end(const std::shared_ptr<HttpSession>& session);
  static Task<void> wait_for_end(std::shared_ptr<HttpSession> session);
  void sweep();

  Guest guest(const http::Request& request) const { return {.principal = request.principal, .name = "http"}; }

  Loop loop;
  std::size_t worker;
  Host& host;
  StreamableHttpOptions options;
  SessionTerms terms;
  Sessions sessions;
  TaskScope running;  ///< The ends of sessions.
  Timer sweeping;
};

}  // namespace fairlead::transport
