#pragma once

#include <fairlead/base/task_scope.hpp>
#include <fairlead/client/connection.hpp>

#include "base/async_event.hpp"
#include "client/active_session.hpp"
#include "client/client_request_handler.hpp"
#include "client/output_schemas.hpp"
#include "client/result_cache.hpp"
#include "client/subscriptions.hpp"

namespace fairlead::client {

/// The state of a Connection. Shared with the coroutines of its sessions, which run in `scope`.
struct ConnectionState : std::enable_shared_from_this<ConnectionState> {
  ConnectionState(EventLoop on, Endpoint where, ClientOptions chosen, TaskScope& owner);

  // connect.cpp
  /// Returns the active session; connects if there is none.
  Task<Result<std::shared_ptr<ActiveSession>>> ensure_connected();
  /// Stops new calls on this session; pending calls continue.
  void drain(const std::shared_ptr<ActiveSession>& active);
  /// Sends the log level to a new session.
  Task<Result<void>> restore_session_state(ActiveSession& opened);
  /// The session that calls use; null if not connected.
  std::shared_ptr<ActiveSession> active_session() const;
  void disconnect() noexcept;
  void close() noexcept;

  // input_rounds.cpp
  /// Sends a request and all its input rounds. The reply is complete, or the handle of a task.
  Task<Result<session::Reply>> send_rounds(std::string method, json::Payload params, CallOptions call_options);
  /// As send_rounds; waits for the end of a task.
  Task<Result<json::Payload>> request(std::string method, json::Payload params, CallOptions call_options);
  /// True if a result of this method may be cached when it carries a ttl.
  bool is_cacheable(const std::string& method, const CallOptions& call_options) const;
  /// Sends one request; connects first if needed. Retries it once on a new session if the server rejected it
  /// unprocessed.
  Task<Result<session::Reply>> send_request(session::Call& call);
  /// An error if the result type is not one that the client asked for.
  Result<session::Reply> check_kind(const std::string& method, session::Reply reply) const;
  session::Call make_call(std::string method, json::Payload params, const CallOptions& call_options) const;

  EventLoop loop;
  Endpoint endpoint;
  ClientOptions options;
  TaskScope& scope;
  ClientRequestHandler request_handler;
  Subscriptions subscriptions;
  OutputSchemas schemas;
  ResultCache cache;
  ServerDescription server;
  std::optional<protocol::LoggingLevel> log_level;

  /// True if tools/call may ask for a task (2025-11-25). Valid once connected.
  bool may_ask_for_task() const;

 private:
  Task<Result<std::shared_ptr<ActiveSession>>> connect();
  Task<Result<std::shared_ptr<ActiveSession>>> open();
  Task<Result<std::shared_ptr<ActiveSession>>> open_in(EraPreference era, Endpoint where);
  bool may_speak_http_sse() const;

  std::shared_ptr<ActiveSession> active_;  // The newest session, also before `ready`.
  std::vector<std::weak_ptr<ActiveSession>> draining_;
  EraPreference era_;
  bool http_sse_ = false;  // This URL only supports HTTP+SSE.
  bool closed_ = false;
  bool opening_ = false;
  AsyncEvent attempt_ended_;  // Wakes callers that wait for open().
};

}  // namespace fairlead::client
