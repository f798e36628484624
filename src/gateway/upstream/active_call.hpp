#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/session/service.hpp>
#include <list>
#include <set>

#include "gateway/model/caller_id.hpp"

namespace fairlead::gateway {

class ActiveCalls;

/// A call in flight at a server. A local variable of the coroutine that makes the call.
class ActiveCall {
 public:
  ActiveCall(ActiveCalls& all, const session::Call& call);
  ActiveCall(const ActiveCall&) = delete;
  ActiveCall& operator=(const ActiveCall&) = delete;
  ~ActiveCall();

  const session::Call& call() const { return call_; }
  CallerId caller() const { return attributed_caller(call_.context); }
  void set_id(const jsonrpc::Id& id) { id_ = id; }
  const std::optional<jsonrpc::Id>& id() const { return id_; }

  /// Sends a request of the server to the client that made the call. Fails with `closed` when the call ends first.
  Task<Result<session::Reply>> request(std::string method, json::Payload params);

  /// Sends a notification to the client if its queue has space. Exceptions are logged and do not affect other calls.
  void notify(std::string_view method, const json::Payload& params) const;

  /// A client capability that the server needs and the client did not declare.
  struct MissingCapability {
    std::string method;
    std::string capability;  ///< As JSON.
  };
  void set_missing_capability(std::string method, std::string capability) {
    missing_capability_ = {std::move(method), std::move(capability)};
  }
  const std::optional<MissingCapability>& missing_capability() const { return missing_capability_; }

  bool is_list_request() const { return call_.method.ends_with("/list"); }
  /// Whether a request of the server waits for the client's answer.
  bool waits_for_client() const { return waiting_ && *waiting_ != 0; }

  /// When the server last waited for the client's answer; the current time while it waits.
  TimePoint last_client_wait() const;

  /// Whether the server has sent requests; if not, cancel_requests() has nothing to do.
  bool has_server_requests() const { return server_requests_ != nullptr; }
  /// Cancels the requests that are still open. Await it before destruction.
  Task<void> cancel_requests();

 private:
  friend class ActiveCalls;
  struct ServerRequest;
  static Task<void> send(session::PeerChannel& back, std::shared_ptr<ServerRequest> request);

  ActiveCalls& all_;
  const session::Call& call_;
  std::optional<jsonrpc::Id> id_;
  std::unique_ptr<TaskScope> server_requests_;  // Most calls have none.
  // Shared: the coroutine that waits for the answer may resume after the call has ended.
  std::shared_ptr<std::size_t> waiting_;
  std::shared_ptr<TimePoint> last_answer_;  // When the last answer arrived.
  TimePoint last_server_request_ = {};
  std::optional<MissingCapability> missing_capability_;
  std::list<ActiveCall*>::iterator position_;
};

/// The calls in flight at one server.
class ActiveCalls {
 public:
  explicit ActiveCalls(const EventLoop& loop) : loop_(loop) {}

  /// The call with this id at the server; null if there is none.
  ActiveCall* find(const jsonrpc::Id& id) const;

  /// Attributes a message without a request id to one of the caller's calls. A call that waits for its client is
  /// skipped while the caller has others. Null if several sessions of the caller are possible.
  ActiveCall* attribute(const CallerId& caller) const;

  /// Whether the session has calls in flight.
  bool has(std::uint64_t session_key) const;

  /// Callers with calls in flight. List requests do not count: their results are not specific to a caller.
  std::set<CallerId> callers() const;
  std::set<CallerId> list_callers() const;

  /// How long a call of another client should wait: a server that has just sent a request may send more for the same
  /// call, and those could not be attributed.
  Duration settle_delay(std::uint64_t session_key) const;

  std::size_t count() const { return all_.size(); }
  /// The newest client session with calls in flight except this one; 0 for none.
  std::uint64_t newest_session_except(std::uint64_t session_key) const;
  /// Oldest first.
  const std::list<ActiveCall*>& calls() const { return all_; }
  const EventLoop& loop() const { return loop_; }

 private:
  friend class ActiveCall;
  EventLoop loop_;
  std::list<ActiveCall*> all_;
  std::size_t with_server_requests_ = 0;  // Calls whose client has received server requests.
};

}  // namespace fairlead::gateway
