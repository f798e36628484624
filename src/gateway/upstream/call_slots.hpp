#pragma once

#include <cstddef>
#include <fairlead/base/task.hpp>
#include <list>
#include <map>
#include <memory>
#include <utility>

#include "base/promise.hpp"
#include "gateway/caller_id.hpp"
#include "gateway/share.hpp"

namespace fairlead::gateway {

/// Lets so many calls through at a time; the others wait. One caller holds at most its share of the slots and of the
/// queue, and of those who wait the one with the fewest slots is next. On one loop.
class CallSlots {
  struct Count {
    std::size_t held = 0;
    std::size_t waiting = 0;
  };

 public:
  CallSlots(std::size_t slots, std::size_t queue) : free_(slots), share_(share_of_one(slots)), queue_size_(queue) {}
  CallSlots(const CallSlots&) = delete;
  CallSlots& operator=(const CallSlots&) = delete;

  /// Held while a call is under way. False if its owner was cancelled in the queue.
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

  /// Without waiting: false where nothing is free for this caller.
  Slot enter_now(const CallerId& caller);
  Task<Slot> enter(CallerId caller);

  std::size_t waiting() const { return queue_.size(); }
  bool queue_is_full() const { return queue_.size() >= queue_size_; }
  /// How many calls of this caller wait, if it may have no more waiting; 0 if it may.
  std::size_t queued_too_much(const CallerId& caller) const;

 private:
  struct Waiter {
    std::shared_ptr<Promise<bool>> turn;
    Count* count;
  };

  Count& count_of(const CallerId& caller);
  void release(Count& count);
  void hand_on();

  std::size_t free_;
  std::size_t share_;
  std::size_t queue_size_;
  std::map<CallerId, Count> counts_;
  std::list<Waiter> queue_;
};

}  // namespace fairlead::gateway
