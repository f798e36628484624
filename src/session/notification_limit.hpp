#pragma once

#include <cstddef>

#include "session/send_queue.hpp"

namespace fairlead::session {

/// Counts the active notifications in one direction. Senders do not wait for notifications to be handled, so those
/// beyond the limits are dropped.
class NotificationLimit {
 public:
  explicit NotificationLimit(SendQueueLimits limits) : limits_(limits) {}

  bool has_room() const { return count_ < limits_.messages && bytes_ < limits_.bytes; }
  std::size_t count() const { return count_; }
  std::size_t bytes() const { return bytes_; }

  /// Counts a dropped notification. Returns true for the first one since the limit was reached, which should be logged.
  bool drop() { return dropped_++ == 0; }

  /// An active notification. `limit` outlives it.
  class Slot {
   public:
    Slot(NotificationLimit& limit, std::size_t size) : limit_(limit), size_(size) {
      ++limit_.count_;
      limit_.bytes_ += size_;
    }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot() {
      limit_.bytes_ -= size_;
      if (--limit_.count_ == 0) limit_.dropped_ = 0;
    }

   private:
    NotificationLimit& limit_;
    std::size_t size_;
  };

 private:
  SendQueueLimits limits_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace fairlead::session
