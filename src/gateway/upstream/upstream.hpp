#pragma once

#include <cstddef>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/client/connection.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async_event.hpp"
#include "base/async_semaphore.hpp"
#include "gateway/model/task_owners.hpp"
#include "gateway/upstream/active_call.hpp"
#include "gateway/upstream/call_slots.hpp"
#include "gateway/upstream/caller_history.hpp"
#include "gateway/upstream/managed_backend.hpp"
#include "gateway/upstream/restart_backoff.hpp"
#include "gateway/upstream/session_notifier.hpp"

namespace fairlead::gateway {

/// Start counters of a configured server, kept across reloads.
struct StartCounters {
  std::size_t starts = 0;
  std::size_t restarts = 0;
  std::size_t failures = 0;
};

/// The caller that started a task, and the session that receives its status notifications.
struct TaskOwner {
  CallerId caller;
  std::uint64_t session_key = 0;
};

struct UpstreamOptions {
  std::string name = "server";
  client::ClientOptions client = {};  ///< Revision, era and HTTP options of the connection.
  /// Client capabilities to declare; by default all of them.
  std::optional<protocol::ClientCapabilities> capabilities = {};
  session::Timeouts timeouts = {.idle = std::chrono::minutes{5}, .total = std::chrono::hours{1}};
  std::size_t max_in_flight = 256;                                            ///< Calls in flight; further calls wait.
  std::size_t max_waiting = 1024;                                             ///< Waiting calls; further calls fail.
  std::size_t max_rounds = 16;                                                ///< Rounds of input requests in one call.
  Duration server_request_timeout = session::default_nested_request_timeout;  ///< For server requests outside of calls.
  std::vector<std::string> secrets = {};                                      ///< Redacted from all errors.
  RestartBackoffOptions restart = {};
  Duration idle_timeout = {};                        ///< Idle time before the server is stopped; zero for never.
  Duration stop_timeout = std::chrono::seconds{10};  ///< Then the rest of its tasks is cancelled.
  std::shared_ptr<const bool> gateway_stopping =
      std::make_shared<bool>(false);        ///< Whether the whole gateway is shutting down.
  AsyncSemaphore* start_permits = nullptr;  ///< Limits concurrent starts; must outlive the upstream.
  std::shared_ptr<StartCounters> counters = std::make_shared<StartCounters>();
  /// Owners of its tasks; shared by successive upstreams of the same server.
  std::shared_ptr<TaskOwners<TaskOwner>> tasks = std::make_shared<TaskOwners<TaskOwner>>();
  bool single_caller = false;  ///< Serves one caller (`share: caller`).
};

/// A connection to an external server, shared by all callers. The first call connects it, or starts its process. Used
/// on one event loop.
///
/// Each call gets a new id at the server, so that equal ids of different clients do not collide. Messages of the server
/// belong to the call that they name, or else to the only caller of this connection (see `CallerHistory`). If there are
/// several callers, such requests are refused and log messages are dropped: they could disclose data of another caller.
class Upstream final : public ManagedBackend {
 public:
  Upstream(EventLoop loop, client::Endpoint endpoint, UpstreamOptions options);
  Upstream(const Upstream&) = delete;
  Upstream& operator=(const Upstream&) = delete;
  ~Upstream() override;

  Task<void> stop() override;

  const std::string& name() const override { return options_.name; }
  Task<Result<client::ServerDescription>> describe() override;
  const client::ServerDescription* last_description() const override;
  bool is_connected() const override { return connection_.is_open(); }
  /// Whether it is connected or connecting.
  bool running() const { return starting_ || is_connected(); }

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notification& notice) override;
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override;

  UpstreamState state() const;
  std::vector<UpstreamState> states() const override { return std::vector(1, state()); }
  void reset_backoff() override { backoff_.reset(); }

 private:
  class ServerRequestHandler;

  /// Forgets an ended session when the last use of it ends.
  class SessionUse {
   public:
    SessionUse(Upstream& upstream, std::uint64_t session_key) : upstream_(upstream), session_key_(session_key) {}
    SessionUse(const SessionUse&) = delete;
    SessionUse& operator=(const SessionUse&) = delete;
    ~SessionUse() { upstream_.forget_ended_session(session_key_); }

   private:
    Upstream& upstream_;
    std::uint64_t session_key_;
  };

  // connect.cpp
  Task<Result<void>> ensure_connected();
  Task<Result<void>> connect();
  Error on_missing_credential(Error why);
  void record_failure(std::string why) {
    backoff_.failed(std::move(why));
    ++options_.counters->failures;
  }
  /// Called when the connection breaks.
  void on_disconnect(const Error& error);

  // forward.cpp
  /// Fails if the queue is full for this caller.
  Result<void> check_admission(const CallerId& caller) const;
  /// The call as it is sent to the server. Refers to `active`.
  session::Call outgoing_call(ActiveCall& active);
  /// Connects, checks the request state and sets the log level.
  Task<Result<void>> prepare(const session::Call& call);
  Task<Result<void>> connect_for(const session::Call& call);
  Task<Result<session::Reply>> forward(session::Call& call);
  /// Logs the reply, maps its error and records a started task.
  void finish_call(const ActiveCall& active, Result<session::Reply>& reply, Deadline until);
  Result<void> check_request_state(const session::Call& call) const;
  void forward_progress(session::Call& out, const ActiveCall& active) const;
  void log_sent(const session::Call& call, const jsonrpc::Id& id) const;
  void log_answered(const ActiveCall& active, const Result<session::Reply>& reply) const;

  // upstream.cpp
  void arm_idle_timer();
  void record_caller(const CallerId& caller);
  /// Called at the end of a session and of a call: forgets a session that has neither.
  void forget_ended_session(std::uint64_t session_key);

  // log_level_and_subscriptions.cpp
  Task<Result<session::Reply>> set_level(session::Call& call);
  Task<Result<session::Reply>> subscribe(session::Call& call);
  Task<Result<session::Reply>> unsubscribe(session::Call& call);
  Task<void> unsubscribe_unused(std::vector<std::string> uris);
  Task<Result<void>> raise_log_level(protocol::LoggingLevel level);
  std::shared_ptr<const protocol::ClientIdentity> identity_for(const session::Call& call);

  // upstream_tasks.cpp
  Task<Result<session::Reply>> call_task(session::Call& call);
  Task<Result<session::Reply>> call_started_task(session::Call& call);
  bool owns_task(std::string_view task, const session::Call& call) const;
  void remove_foreign_tasks(session::Reply& reply, const session::Call& call) const;

  // server_request_handler.cpp
  /// How long to wait until a request of the server can be attributed to this call.
  Duration attribution_delay(const session::Call& call) const;
  Task<void> wait_until_attributable(const session::Call& call);
  Task<Result<session::Reply>> fulfil_input_requests(ActiveCall& active, session::Call& out, session::Reply first,
                                                     Deadline until);
  Task<Result<json::Payload>> fulfil_input_request(ActiveCall& active, const protocol::InputRequest& request,
                                                   const std::string& key, Deadline until);
  Task<Result<session::Reply>> handle_server_request(session::Call& request);
  /// The caller of messages without a request id; nothing if there may be several.
  std::optional<CallerId> sole_caller() const;
  ActiveCall* find_call(const std::optional<jsonrpc::Id>& request_id, const std::optional<CallerId>& caller) const;
  void log_refused_request(std::string_view method) const;
  bool accepts_level(const ActiveCall& active, protocol::LoggingLevel level) const;
  void on_notification(const session::Notification& notice);
  void on_task_status(const session::Notification& notice);

  EventLoop loop_;
  UpstreamOptions options_;
  std::unique_ptr<ServerRequestHandler> server_request_handler_;
  TaskScope scope_;
  client::Connection connection_;
  CallSlots slots_;
  ActiveCalls active_calls_;
  SessionNotifier notifier_;
  CallerHistory caller_history_;
  RestartBackoff backoff_;
  Timer idle_;
  std::size_t starts_ = 0;
  AsyncEvent started_;
  bool starting_ = false;
  bool stopped_ = false;                        // Permanent: it never connects again.
  bool reached_ = false;                        // Connected since the last failure.
  std::string disconnect_reason_;               // Reason of the last disconnect, without the output of the process.
  std::shared_ptr<const Diagnosis> diagnosis_;  // Of the last failure, for operators.
  std::optional<Error> start_failure_;          // Of the start that other calls wait for.
  std::string missing_credential_;              // Why the server did not accept the last start.
  bool known_ = false;
  std::optional<protocol::LoggingLevel> level_ = {};  // Last level sent to the server.
  std::shared_ptr<const protocol::ClientIdentity> last_identity_ = {};
  std::shared_ptr<const protocol::ClientIdentity> last_adapted_ = {};
};

}  // namespace fairlead::gateway
