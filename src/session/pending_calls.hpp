#pragma once

#include <cstdint>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/session/service.hpp>
#include <memory>
#include <unordered_map>

#include "base/promise.hpp"

namespace fairlead::session {

/// Our requests that the peer has not answered yet.
class PendingCalls {
  struct Entry;

 public:
  /// `timers` outlives it.
  explicit PendingCalls(TimerWheel& timers) : timers_(timers) {}

  /// One request; it is forgotten when this goes out of scope, and a late answer is then ignored.
  class Ticket {
   public:
    /// `call` outlives it.
    Ticket(PendingCalls& calls, const Call& call);
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;
    ~Ticket();

    std::int64_t id() const { return id_; }

    /// Whether there is an answer, or none to wait for.
    bool is_settled() const { return entry_->answer.is_set(); }
    /// Until then.
    auto settled() {
      entry_->timer.arm(entry_->deadline.current());
      return entry_->answer.settled();
    }
    /// The peer's answer then: a raw result, or its refusal. `timeout` and `cancelled` if we gave up first.
    Result<json::Payload> take();

   private:
    PendingCalls& calls_;
    std::int64_t id_;
    std::shared_ptr<Entry> entry_;
  };

  /// Whoever waits for it goes on at once. False if nobody does.
  bool answer(const jsonrpc::Id& id, Result<json::Payload>&& result, const jsonrpc::Luggage* luggage = nullptr);
  void progress(const Progress& told);
  void paused(const jsonrpc::Id& id);

  /// Nobody will answer any more: every call, and every later one, ends with this.
  void fail_all(const Error& error);

  bool failed() const { return failure_.has_value(); }

  /// Those that are to be answered soon: not those that last as long as somebody listens.
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

  /// Shared, because what is called for it may forget the call.
  std::shared_ptr<Entry> find(const jsonrpc::Id& id);

  TimerWheel& timers_;
  std::unordered_map<std::int64_t, std::shared_ptr<Entry>> entries_;
  std::int64_t next_id_ = 1;
  std::size_t awaited_ = 0;
  std::optional<Error> failure_;
};

}  // namespace fairlead::session
