#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>

#include "base/promise.hpp"

namespace fairlead::gateway {

/// Lets so many through at a time; the others wait their turn. On one loop.
class Turnstile {
 public:
  explicit Turnstile(std::size_t places) : free_(places) {}

  /// Held while one is inside. False if its owner was cancelled in the queue.
  class Pass {
   public:
    Pass() = default;
    explicit Pass(Turnstile& of) : turnstile_(&of) {}
    Pass(Pass&& other) noexcept : turnstile_(std::exchange(other.turnstile_, nullptr)) {}
    Pass& operator=(Pass&& other) noexcept {
      std::swap(turnstile_, other.turnstile_);
      return *this;
    }
    ~Pass() {
      if (turnstile_) turnstile_->leave();
    }
    explicit operator bool() const { return turnstile_ != nullptr; }

   private:
    Turnstile* turnstile_ = nullptr;
  };

  /// Without waiting: false where nothing is free.
  Pass enter_now() {
    if (free_ == 0) return Pass();
    --free_;
    return Pass(*this);
  }

  Task<Pass> enter() {
    if (auto pass = enter_now()) co_return pass;
    const auto turn = std::make_shared<Promise<bool>>();
    queue_.push_back(turn);
    const bool mine = co_await turn->wait(false);
    if (!mine) co_return Pass();
    co_return Pass(*this);
  }

  std::size_t waiting() const { return queue_.size(); }

 private:
  void leave() {
    while (!queue_.empty()) {
      const auto next = std::move(queue_.front());
      queue_.pop_front();
      if (next->is_set()) continue;  // Cancelled meanwhile.
      return next->set(true);
    }
    ++free_;
  }

  std::size_t free_;
  std::deque<std::shared_ptr<Promise<bool>>> queue_;
};

}  // namespace fairlead::gateway
