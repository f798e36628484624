#pragma once

#include <fairlead/base/task.hpp>
#include <list>
#include <map>
#include <memory>

#include "base/promise.hpp"
#include "gateway/model/caller_id.hpp"
#include "gateway/model/fair_share.hpp"

namespace fairlead::gateway {

/// Limits the calls in flight; others wait in a queue. One caller gets at most its fair share of the slots and of the
/// queue. The next slot goes to the waiting caller with the fewest slots. Used on one event loop.
class CallSlots {
  struct Count {
    std::size_t held = 0;
    std::size_t waiting = 0;
  };

 public:
  CallSlots(std::size_t slots, std::size_t queue) : free_(slots), share_(fair_share(slots)), queue_size_(queue) {}
  CallSlots(const CallSlots&) = delete;
  CallSlots& operator=(const CallSlots&) = delete;

  /// Held while a call is in flight. False if the caller was cancelled in the queue.
  class Slot {
   public:
    Slot() = default;
    Slot(CallSlots& of, Count& count) : slots_(&of), count_(&count) {}
    Slot(Slot&& other) noexcept : slots_(std::exchange(other.slots_, nullptr)), count_(other.count_) {}
    Slot& operator=(Slot&& other) noexcept {
      std::swap(slots_, other.slots_);
      std::swap(count_, other.count_);
      return *this;
    }
    ~Slot() {
      if (slots_) slots_->release(*count_);
    }
    explicit operator bool() const { return slots_ != nullptr; }

   private:
    CallSlots* slots_ = nullptr;
    Count* count_ = nullptr;
  };

  /// Returns a ready task if a slot is free for this caller.
  Task<Slot> acquire(const CallerId& caller);

  std::size_t waiting() const { return queue_.size(); }
  bool queue_is_full() const { return queue_.size() >= queue_size_; }
  /// The number of waiting calls of this caller if it has used up its share of the queue, otherwise 0.
  std::size_t calls_over_queue_share(const CallerId& caller) const;

 private:
  struct Waiter {
    std::shared_ptr<Promise<bool>> granted;
    Count* count;
  };

  Task<Slot> wait_for_slot(Count& count);
  Count& count_of(const CallerId& caller);
  void release(Count& count);
  void grant_next();

  std::size_t free_;
  std::size_t share_;
  std::size_t queue_size_;
  std::map<CallerId, Count> counts_;
  std::list<Waiter> queue_;
};

}  // namespace fairlead::gateway
