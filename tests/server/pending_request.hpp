#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/task_scope.hpp>
#include <stop_token>

#include "server/harness.hpp"

namespace fairlead::server::test {

/// An event loop that the test polls, with one task that can be cancelled.
class PolledLoop {
 public:
  void start(Task<void> task) {
    async_start(loop_, std::move(task),
                boost::asio::bind_cancellation_slot(signal_.slot(), [this](std::exception_ptr) { ended_ = true; }));
    poll();
  }
  void poll() {
    loop_.restart();
    loop_.poll();
  }
  void cancel() { signal_.emit(boost::asio::cancellation_type::terminal); }
  void finish() {
    loop_.restart();
    loop_.run();
  }
  bool ended() const { return ended_; }

 private:
  boost::asio::io_context loop_{1};
  boost::asio::cancellation_signal signal_;
  bool ended_ = false;
};

/// A pending request that the test can cancel.
class PendingRequest : public PolledLoop {
 public:
  PendingRequest(Server& server, session::PeerChannel& channel, std::string method, std::string params,
                 const protocol::Revision& revision, std::string principal = {},
                 std::shared_ptr<const protocol::ClientIdentity> caller = session::anonymous_caller()) {
    call_.method = std::move(method);
    call_.params = json::Payload::trusted(std::move(params));
    call_.context.revision = &revision;
    call_.context.principal = std::move(principal);
    call_.context.caller = std::move(caller);
    call_.context.id = 9;
    call_.context.peer = &channel;
    call_.context.peer_closed = peer_closed_.get_token();
    start(store_reply(server, call_, &reply_));
  }
  void close_peer() {
    peer_closed_.request_stop();
    poll();
  }
  const std::optional<Result<Reply>>& reply() const { return reply_; }

 private:
  static Task<void> store_reply(Server& server, Call& call, std::optional<Result<Reply>>* reply) {
    reply->emplace(co_await server.call(call));
  }

  std::stop_source peer_closed_;
  Call call_{.method = ""};
  std::optional<Result<Reply>> reply_;
};

/// A peer that records notifications.
class FakePeer final : public session::Service {
 public:
  std::vector<std::string> notifications = {};

  Task<Result<Reply>> call(Call&) override { co_return fail(ErrorKind::invalid, "no requests expected"); }
  Task<void> notify(session::Notification& notification) override {
    notifications.push_back(notification.method + std::string(notification.params.text()));
    co_return;
  }
};

/// Opens a session on the server until it is destroyed.
class OpenSession {
 public:
  explicit OpenSession(Server& server, std::uint64_t key = 1, std::string principal = {}) {
    hook_ = server.on_session_open({.key = key, .principal = std::move(principal), .peer = peer_, .tasks = tasks_});
  }
  ~OpenSession() {
    hook_.reset();
    tasks_.cancel();
    poll();
  }

  /// Returns and clears the notifications of the peer.
  std::vector<std::string> take_notifications() {
    poll();
    return std::exchange(peer_.notifications, {});
  }

 private:
  void poll() {
    loop_.restart();
    loop_.poll();
  }

  FakePeer peer_;
  CapturingSink log_;
  boost::asio::io_context loop_{1};
  TaskScope tasks_{loop_.get_executor(), log_, "attended"};
  std::unique_ptr<session::SessionHook> hook_;
};

/// A client that never answers.
class SilentPeerChannel final : public session::PeerChannel {
 public:
  bool requested = false;

  Task<Result<Reply>> request(std::string, json::Payload) override {
    requested = true;
    const auto executor = co_await this_task::executor;
    boost::asio::steady_timer never(executor, boost::asio::steady_timer::time_point::max());
    co_await never.async_wait(boost::asio::as_tuple(use_task));
    co_return fail(ErrorKind::cancelled, "cancelled");
  }
  Task<Result<void>> notify(std::string, json::Payload) override { co_return Result<void>{}; }
};

}  // namespace fairlead::server::test
