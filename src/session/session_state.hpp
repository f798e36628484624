#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/session/session.hpp>
#include <map>
#include <memory>

#include "session/answering.hpp"
#include "session/era.hpp"
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

  // Reading: receive.cpp
  Task<Result<void>> read_all();
  // What is taken is taken apart where it stands.
  void take(transport::Received&& received);
  void take(jsonrpc::Message&& message, const std::shared_ptr<BatchReply>& batch);
  void take(transport::Related&& related);
  void take_batch(jsonrpc::Batch batch);
  void take_notification(jsonrpc::Notification notification, std::optional<jsonrpc::Id> about = {});
  void cancel(const json::Payload& params);

  // Serving: dispatch.cpp
  void serve(jsonrpc::Request&& request, std::shared_ptr<BatchReply> batch, std::optional<jsonrpc::Id> about = {});
  Task<void> handle(std::shared_ptr<InFlight> entry);
  std::optional<jsonrpc::Message> admit_here(jsonrpc::Request& request, Call& call);
  std::optional<jsonrpc::Message> answer_now(jsonrpc::Request& request);
  Reporter reporter() const { return {loop.log, options.name}; }
  Task<void> notify_service(Notice notice);
  void deliver_now(transport::Outgoing&& outgoing, const std::shared_ptr<BatchReply>& batch);

  using Service::answer_now;

  // Asking: peer.cpp
  Task<Result<Reply>> call(Call& call) override;
  Task<void> notify(Notice& notice) override;
  Task<Result<Reply>> ask(Call& call, std::optional<jsonrpc::Id> related_to);
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
  std::map<jsonrpc::Id, std::shared_ptr<InFlight>> in_flight;
  TaskScope* handlers = nullptr;  ///< While the conversation runs.
  TaskScope::Handle reading = {};
  std::unique_ptr<TaskScope> tasks = {};  ///< Of a conversation that is not read, but brought.
  std::unique_ptr<Attendance> attendance = {};
  std::stop_source over = {};  ///< Stopped when the peer will say nothing more.
  bool finishing = false;
  std::shared_ptr<const protocol::Implementation> signed_by = {};
  bool closed = false;
};

}  // namespace fairlead::session
