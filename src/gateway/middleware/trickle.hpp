#pragma once

#include <deque>
#include <fairlead/base/loop.hpp>
#include <fairlead/session/service.hpp>

#include "gateway/middleware/pause.hpp"

namespace fairlead::gateway {

/// The way back to a caller on which one piece comes after the other, as on a stream whose sender is slow. Stands in
/// the place of a call's own way back for as long as it lives.
class Trickle final : public session::Backchannel {
 public:
  /// More than that waits for nobody.
  static constexpr std::size_t most_waiting = 1024;

  Trickle(session::Call& call, Loop loop, Duration between)
      : call_(call), real_(call.context.back), loop_(std::move(loop)), between_(between), next_(loop_.timers, [this] {
          pass_one();
        }) {
    if (real_) call_.context.back = this;
  }
  Trickle(const Trickle&) = delete;
  Trickle& operator=(const Trickle&) = delete;
  ~Trickle() override { call_.context.back = real_; }

  Task<Result<session::Reply>> ask(std::string method, json::Payload params) override {
    co_await all_told();
    co_return co_await real_->ask(std::move(method), std::move(params));
  }
  Task<Result<void>> tell(std::string method, json::Payload params) override {
    co_await all_told();
    co_return co_await real_->tell(std::move(method), std::move(params));
  }
  bool tell_now(std::string_view method, const json::Payload& params) override {
    if (waiting_.size() >= most_waiting) return false;
    waiting_.emplace_back(method, params);
    if (!next_.armed()) next_.arm(Deadline::in(between_, loop_.timers.clock()));
    return true;
  }
  void let_go() override { real_->let_go(); }

  /// When all that was told before has come, and the next piece is due. False if its caller was cancelled.
  Task<bool> all_told() {
    while (true) {
      const bool goes_on = co_await pause(loop_.timers, between_);
      if (!goes_on || waiting_.empty()) co_return goes_on;
    }
  }

 private:
  void pass_one() {
    const auto [method, params] = std::move(waiting_.front());
    waiting_.pop_front();
    if (!waiting_.empty()) next_.arm(Deadline::in(between_, loop_.timers.clock()));
    real_->tell_now(method, params);
  }

  session::Call& call_;
  session::Backchannel* real_;
  Loop loop_;
  Duration between_;
  std::deque<std::pair<std::string, json::Payload>> waiting_;
  Timer next_;
};

}  // namespace fairlead::gateway
