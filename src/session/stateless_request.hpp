#pragma once

#include <atomic>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/session/session.hpp>
#include <fairlead/transport/session_factory.hpp>

#include "session/request_handling.hpp"

namespace fairlead::session {

/// A request without a session, and its channel to the client, which receives notifications and cannot be called.
struct StatelessRequest final : PeerChannel, private NonCopyable {
  StatelessRequest(const EventLoop& on, Service& target, const SessionOptions& options,
                   transport::NotificationSink& sink, std::atomic<std::size_t>& active);
  ~StatelessRequest() override { count.fetch_sub(1, std::memory_order_relaxed); }

  Task<Result<Reply>> request(std::string method, json::Payload params) override;
  Task<Result<void>> notify(std::string method, json::Payload params) override;

  ErrorLog error_log() const { return {loop.log, name}; }
  jsonrpc::Message response(Result<Reply>&& reply) const;

  EventLoop loop;
  Service& service;
  RevisionNegotiator negotiator;
  transport::NotificationSink& notifications;
  std::atomic<std::size_t>& count;
  std::string_view name;  ///< In the log.
  Call call = {};
  TaskScope tasks;  ///< Of the hook.
  std::unique_ptr<SessionHook> hook = {};
};

/// Handles `request` and moves its parts and those of `peer`; the value of the task is the response.
Task<jsonrpc::Message> respond_stateless(std::unique_ptr<StatelessRequest> handling, jsonrpc::Request& request,
                                         transport::PeerInfo& peer);

}  // namespace fairlead::session
