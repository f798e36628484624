#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/session/session.hpp>
#include <map>
#include <memory>

#include "base/log_throttle.hpp"
#include "session/answering.hpp"
#include "session/era.hpp"
#include "session/notice_limit.hpp"
#include "session/outbox.hpp"
#include "session/pending_calls.hpp"

namespace fairlead::session {

/// Collects the answers to a batch, to be sent together.
struct BatchReply {
  std::size_t missing = 0;
  std::vector<jsonrpc::Message> messages = {};
};

/// A request of the peer's that is being served.
struct InFlight {
  Call call = {};
  std::shared_ptr<BatchReply> batch = {};
  TaskScope::Handle task = {};
  bool cancelled = false;  ///< The peer wants no answer any more.
};

/// All that a session knows, and the only place where it changes.
struct SessionState final : Service {
  SessionState(Loop loop, transport::Transport& transport, Service& service, SessionOptions options);

  // The whole: session.cpp
  Task<Result<void>> converse();
  void open();
  Task<void> end();
  std::unique_ptr<Attendance> attended(TaskScope& telling);
  void finish() noexcept;
  void close() noexcept;
  /// The peer takes nothing any more: pending calls fail with the reason.
  void lose(const Error& why);

  // Reading: receive.cpp
  Task<Result<void>> read_all();
  // What is taken is taken apart where it stands.
  void take(transport::Received&& received);
  void take(jsonrpc::Message&& message, const std::shared_ptr<BatchReply>& batch);
  void take(transport::Related&& related);
  void take(transport::Unreadable&& bad);
  bool fail_answered(const jsonrpc::Unread& bad);
  void take_batch(jsonrpc::Batch batch);
  void take_notification(jsonrpc::Notification notification, std::optional<jsonrpc::Id> about = {});
  void cancel(const json::Payload& params);
  void report_unreadable(const transport::Unreadable& bad);
  /// The peer's stream has ended, or broken.
  void note_lost(const Error& why);

  // Serving: dispatch.cpp
  void serve(jsonrpc::Request&& request, std::shared_ptr<BatchReply> batch, std::optional<jsonrpc::Id> about = {});
  Task<void> handle(std::shared_ptr<InFlight> entry);
  std::optional<jsonrpc::Message> admit_here(jsonrpc::Request& request, Call& call);
  std::optional<jsonrpc::Message> answer_now(jsonrpc::Request& request);
  Reporter reporter() const { return {loop.log, options.name}; }
  Task<void> notify_service(Notice notice);
  bool may_pass(NoticeLimit& limit, std::string_view method, std::string_view whose) const;
  void deliver_now(transport::Outgoing&& outgoing, const std::shared_ptr<BatchReply>& batch);

  using Service::answer_now;

  // Asking: peer.cpp
  Task<Result<Reply>> call(Call& call) override;
  Task<void> notify(Notice& notice) override;
  Task<Result<Reply>> ask(Call& call, std::optional<jsonrpc::Id> related_to);
  /// Why the peer is not asked this, where it is a client that cannot be.
  std::optional<Error> refuse_question(const Call& question) const;
  const protocol::Revision& speaks(const Call& call) const;
  const std::shared_ptr<const protocol::Caller>& speaks_for(const Call& call) const;

  const std::uint64_t key;  ///< Of the conversation.
  Loop loop;
  transport::Transport& transport;
  Service& service;
  SessionOptions options;
  Era era;
  Outbox outbox;
  PendingCalls pending;
  NoticeLimit notices_in;   ///< Of the peer's, on their way to the service.
  NoticeLimit notices_out;  ///< For the peer, waiting for room.
  std::map<jsonrpc::Id, std::shared_ptr<InFlight>> in_flight;
  TaskScope* handlers = nullptr;  ///< While the conversation runs.
  TaskScope::Handle reading = {};
  std::unique_ptr<TaskScope> tasks = {};  ///< Of a conversation that is not read, but brought.
  std::unique_ptr<Attendance> attendance = {};
  std::stop_source over = {};  ///< Stopped when the peer will say nothing more.
  bool finishing = false;
  std::shared_ptr<const protocol::Implementation> signed_by = {};
  bool closed = false;
  bool was_lost = false;                        ///< The peer has ended the conversation.
  LogThrottle unreadable{loop.timers.clock()};  ///< For what the peer sends that is no message.
};

}  // namespace fairlead::session
