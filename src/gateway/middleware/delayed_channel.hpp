#pragma once

#include <deque>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/session/service.hpp>

#include "gateway/middleware/async_sleep.hpp"

namespace fairlead::gateway {

/// Channel to the caller that delays each message, like a slow stream. Replaces the channel of a call during its
/// lifetime.
class DelayedChannel final : public session::PeerChannel, NonCopyable {
 public:
  /// Further notifications wait until all others were sent.
  static constexpr std::size_t max_queued = 1024;

  DelayedChannel(session::Call& call, EventLoop loop, Duration between)
      : call_(call), real_(call.context.peer), loop_(std::move(loop)), between_(between), next_(loop_.timers, [this] {
          pass_one();
        }) {
    if (real_) call_.context.peer = this;
  }
  ~DelayedChannel() override { call_.context.peer = real_; }

  Task<Result<session::Reply>> request(std::string method, json::Payload params) override {
    co_await all_sent();
    co_return co_await real_->request(std::move(method), std::move(params));
  }
  Task<Result<void>> notify(std::string method, json::Payload params) override {
    if (waiting_.size() >= max_queued) return notify_last(std::move(method), std::move(params));
    waiting_.emplace_back(std::move(method), std::move(params));
    if (!next_.armed()) next_.arm(Deadline::in(between_, loop_.timers.clock()));
    return Result<void>();
  }
  void release_stream() override { real_->release_stream(); }

  /// Waits until all notifications were sent and the next message is due. Returns false if the caller was cancelled.
  Task<bool> all_sent() {
    while (true) {
      const bool goes_on = co_await async_sleep(loop_.timers, between_);
      if (!goes_on || waiting_.empty()) co_return goes_on;
    }
  }

 private:
  Task<Result<void>> notify_last(std::string method, json::Payload params) {
    co_await all_sent();
    co_return co_await real_->notify(std::move(method), std::move(params));
  }

  void pass_one() {
    auto [method, params] = std::move(waiting_.front());
    waiting_.pop_front();
    if (!waiting_.empty()) next_.arm(Deadline::in(between_, loop_.timers.clock()));
    // Dropped if the send queue of the client is full.
    static_cast<void>(real_->notify(std::move(method), std::move(params)));
  }

  session::Call& call_;
  session::PeerChannel* real_;
  EventLoop loop_;
  Duration between_;
  std::deque<std::pair<std::string, json::Payload>> waiting_;
  Timer next_;
};

}  // namespace fairlead::gateway
