#pragma once

#include "base/scope_exit.hpp"
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

  /// Counts an active notification for a scope.
  auto enter(std::size_t size) {
    ++count_;
    bytes_ += size;
    return ScopeExit([this, size] {
      bytes_ -= size;
      if (--count_ == 0) dropped_ = 0;
    });
  }

 private:
  SendQueueLimits limits_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace fairlead::session
