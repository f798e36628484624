#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/session/session.hpp>
#include <map>

#include "base/log_throttle.hpp"
#include "session/notification_limit.hpp"
#include "session/pending_calls.hpp"
#include "session/request_handling.hpp"
#include "session/revision_negotiator.hpp"
#include "session/send_queue.hpp"

namespace fairlead::session {

/// Collects the responses to a batch.
struct BatchResponse {
  std::size_t missing = 0;
  std::vector<jsonrpc::Message> messages = {};
};

struct SessionState;

/// A request of the peer that is being handled, and its channel to the peer.
struct InFlightRequest final : PeerChannel {
  explicit InFlightRequest(SessionState& of) : session(of) {}

  Task<Result<Reply>> request(std::string method, json::Payload params) override;
  Task<Result<void>> notify(std::string method, json::Payload params) override;
  void release_stream() override;

  SessionState& session;
  Call call = {};
  std::shared_ptr<BatchResponse> batch = {};
  TaskScope::Handle task = {};
  bool cancelled = false;  ///< Cancelled by the peer: no response is sent.
};

/// State of a `Session`.
struct SessionState final : Service {
  SessionState(EventLoop loop, transport::Transport& transport, Service& service, SessionOptions options);

  // Lifetime: session.cpp
  Task<Result<void>> run();
  void open();
  Task<void> end();
  std::unique_ptr<SessionHook> open_hook(TaskScope& hook_tasks);
  void shutdown_gracefully() noexcept;
  void close() noexcept;
  /// Writing failed: pending calls fail with this error.
  void on_send_failed(const Error& why);

  // Reading: receive.cpp
  Task<Result<void>> read_all();
  /// Waits until the peer has read enough responses. Closes the session after `write_timeout` without a read.
  Task<void> wait_for_peer_to_read();
  // Messages are moved from.
  void on_message(transport::Received&& received);
  void on_message(jsonrpc::Message&& message, const std::shared_ptr<BatchResponse>& batch);
  void on_message(transport::MessageForRequest&& related);
  void on_message(transport::InvalidMessage&& bad);
  bool fail_pending_call(const jsonrpc::ReadError& bad);
  void on_batch(jsonrpc::Batch batch);
  void on_notification(jsonrpc::Notification notification, std::optional<jsonrpc::Id> related_request = {});
  void cancel(const json::Payload& params);
  void report_invalid(const transport::InvalidMessage& bad);
  /// Reading has ended or failed.
  void on_peer_closed(const Error& why);

  // Serving: dispatch.cpp
  void serve(jsonrpc::Request&& request, std::shared_ptr<BatchResponse> batch,
             std::optional<jsonrpc::Id> related_request = {});
  /// Responds to a request whose service had to wait.
  void on_reply(const InFlightRequest& entry, TaskOutcome<Result<Reply>>&& outcome);
  void respond(const InFlightRequest& entry, Result<Reply>&& reply);
  std::optional<jsonrpc::Message> admit_in_session(jsonrpc::Request& request, Call& call);
  ErrorLog error_log() const { return {loop.log, options.name}; }
  Task<void> notify_service(Notification notice);
  bool has_slot(NotificationLimit& limit, std::string_view method, std::string_view whose) const;
  /// Sends a response, or adds it to its batch.
  void deliver(transport::Outgoing&& outgoing, const std::shared_ptr<BatchResponse>& batch);
  void end_batch_entry(BatchResponse& batch);
  void start_writing(TaskScope& writers);

  // Outgoing requests: peer.cpp
  Task<Result<Reply>> call(Call& call) override;
  Task<void> notify(Notification& notice) override;
  Task<void> notify_when_room(std::size_t size, Task<Result<void>> sending);
  Task<Result<Reply>> send_request(Call& call, std::optional<jsonrpc::Id> related_request);
  void cancel_if_given_up(const Call& call, std::int64_t id, const Error& why);
  /// Returns an error if the client did not declare the capability that a request needs.
  std::optional<Error> check_capability(const Call& question) const;
  const protocol::Revision& revision_for(const Call& call) const;
  const std::shared_ptr<const protocol::ClientIdentity>& identity_for(const Call& call) const;

  const std::uint64_t key;  ///< `SessionRef::key`.
  EventLoop loop;
  transport::Transport& transport;
  Service& service;
  SessionOptions options;
  RevisionNegotiator negotiator;
  SendQueue send_queue;
  PendingCalls pending;
  NotificationLimit notifications_in;   ///< From the peer, while the service handles them.
  NotificationLimit notifications_out;  ///< To the peer, while they wait for space in the queue.
  using RequestEntry = std::pair<const jsonrpc::Id, std::shared_ptr<InFlightRequest>>;
  std::map<jsonrpc::Id, RequestEntry::second_type, std::less<>, detail::FrameAllocator<RequestEntry>> in_flight;
  TaskScope* handlers = nullptr;  ///< Set while the session runs.
  TaskScope::Handle reading = {};
  std::unique_ptr<TaskScope> tasks = {};  ///< Scope of a session that was started by `open`.
  std::unique_ptr<SessionHook> hook = {};
  std::stop_source peer_closed = {};  ///< Stopped when the peer has closed the session.
  bool finishing = false;
  std::shared_ptr<const protocol::Implementation> last_server_info = {};
  bool closed = false;
  bool peer_closed_first = false;                     ///< The peer closed the session before this side.
  LogThrottle invalid_messages{loop.timers.clock()};  ///< Limits the log lines about invalid messages.
};

}  // namespace fairlead::session
