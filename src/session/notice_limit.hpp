#pragma once

#include <cstddef>

#include "session/outbox.hpp"

namespace fairlead::session {

/// Counts the notifications that are under way in one direction. Nobody waits for a notification to be handled, so what
/// exceeds the limits is dropped instead of kept.
class NoticeLimit {
 public:
  explicit NoticeLimit(OutboxLimits limits) : limits_(limits) {}

  bool has_room() const { return count_ < limits_.messages && bytes_ < limits_.bytes; }
  std::size_t count() const { return count_; }
  std::size_t bytes() const { return bytes_; }

  /// Notes one that is dropped. True for the first since there was room for all: that is worth a line in the log.
  bool drop() { return dropped_++ == 0; }

  /// One under way. `limit` outlives it.
  class Pass {
   public:
    Pass(NoticeLimit& limit, std::size_t size) : limit_(limit), size_(size) {
      ++limit_.count_;
      limit_.bytes_ += size_;
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    ~Pass() {
      limit_.bytes_ -= size_;
      if (--limit_.count_ == 0) limit_.dropped_ = 0;
    }

   private:
    NoticeLimit& limit_;
    std::size_t size_;
  };

 private:
  OutboxLimits limits_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace fairlead::session
