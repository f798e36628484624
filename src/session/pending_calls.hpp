#pragma once

#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/session/service.hpp>
#include <unordered_map>

#include "base/promise.hpp"

namespace fairlead::session {

/// Our requests that wait for a response of the peer.
class PendingCalls {
  struct Entry;

 public:
  /// `timers` outlives it.
  explicit PendingCalls(TimerWheel& timers) : timers_(timers) {}

  /// One request. Its destructor removes it, and a late response is then ignored.
  class PendingCall : NonCopyable {
   public:
    /// `call` outlives it.
    PendingCall(PendingCalls& calls, const Call& call);
    ~PendingCall();

    std::int64_t id() const { return id_; }

    /// Awaited, returns the response: a raw result, the error of the peer, or `timeout`; nothing if the caller was
    /// stopped.
    auto response() {
      if (!entry_->answer.is_set()) entry_->timer.arm(entry_->deadline.current());
      return entry_->answer.wait();
    }

   private:
    PendingCalls& calls_;
    std::int64_t id_;
    std::shared_ptr<Entry> entry_;
  };

  /// Resumes the waiting call inline. Returns false if the call does not exist.
  bool answer(const jsonrpc::Id& id, Result<json::Payload>&& result, const jsonrpc::MessageHeaders* headers = nullptr);
  void progress(const Progress& notification);
  void on_response_deferred(const jsonrpc::Id& id);

  /// Ends all pending and all later calls with this error. Their waiters must not run inside this function: they await
  /// `next_turn` if `failed`.
  void fail_all(const Error& error);

  bool failed() const { return failure_.has_value(); }

  /// Number of pending calls, without long-lived ones such as subscriptions.
  std::size_t awaited() const { return awaited_; }

 private:
  struct Entry {
    Entry(TimerWheel& timers, const Call& of);
    void expire();

    Promise<Result<json::Payload>> answer;
    IdleDeadline deadline;
    const Clock& clock;
    Timer timer;
    const Call& call;
    bool lasts;
  };

  /// Shared, because a callback of the call may remove the entry.
  std::shared_ptr<Entry> find(const jsonrpc::Id& id);

  TimerWheel& timers_;
  std::unordered_map<std::int64_t, std::shared_ptr<Entry>> entries_;
  std::int64_t next_id_ = 1;
  std::size_t awaited_ = 0;
  std::optional<Error> failure_;
};

}  // namespace fairlead::session
