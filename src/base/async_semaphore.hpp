#pragma once

#include <cstddef>
#include <deque>
#include <memory>

#include "base/promise.hpp"

namespace fairlead {

/// Limits concurrency: acquire() waits in order until a permit is free. Used on one event loop.
class AsyncSemaphore {
 public:
  explicit AsyncSemaphore(std::size_t permits) : free_(permits) {}

  /// Returns its permit on destruction. False if the waiter was cancelled.
  class Permit {
   public:
    Permit() = default;
    explicit Permit(AsyncSemaphore& semaphore) : semaphore_(&semaphore) {}
    Permit(Permit&& other) noexcept : semaphore_(std::exchange(other.semaphore_, nullptr)) {}
    Permit& operator=(Permit&& other) noexcept {
      std::swap(semaphore_, other.semaphore_);
      return *this;
    }
    ~Permit() {
      if (semaphore_) semaphore_->release();
    }
    explicit operator bool() const { return semaphore_ != nullptr; }

   private:
    AsyncSemaphore* semaphore_ = nullptr;
  };

  /// Returns a ready task if a permit is free.
  Task<Permit> acquire() {
    if (free_ == 0) return wait_for_permit();
    --free_;
    return Permit(*this);
  }

  std::size_t waiting() const { return queue_.size(); }

 private:
  Task<Permit> wait_for_permit() {
    const auto granted = std::make_shared<Promise<bool>>();
    queue_.push_back(granted);
    const auto is_granted = co_await granted->wait();
    if (!is_granted) co_return Permit();
    Permit permit(*this);
    // Not inside the destructor of the permit that was returned.
    co_await next_turn;
    co_return permit;
  }

  void release() {
    while (!queue_.empty()) {
      const auto next = std::move(queue_.front());
      queue_.pop_front();
      if (next->is_set()) continue;  // Cancelled.
      return next->set(true);
    }
    ++free_;
  }

  std::size_t free_;
  std::deque<std::shared_ptr<Promise<bool>>> queue_;
};

}  // namespace fairlead
