#pragma once

#include <deque>
#include <fairlead/base/loop.hpp>
#include <fairlead/transport/transport.hpp>
#include <memory>
#include <optional>

#include "base/bell.hpp"
#include "base/promise.hpp"

namespace fairlead::transport {

/// Where the messages of several streams come together for one reader.
class Inbox {
 public:
  explicit Inbox(const Loop& loop) : taken_(loop.executor) {}

  Task<Result<Received>> receive();

  /// Waits while the reader is far behind.
  Task<void> deliver(Received received);
  Task<void> room();
  /// The reader goes on at once.
  void deliver_now(Received&& received);
  bool has_room() const { return waiting_.size() < most_messages && bytes_ < most_bytes; }

  /// The last word: what came before can still be taken.
  void end(Error why);
  bool ended() const { return ended_.has_value(); }

 private:
  static constexpr std::size_t most_messages = 256;
  static constexpr std::size_t most_bytes = std::size_t{4} * 1024 * 1024;

  std::deque<Received> waiting_;
  std::size_t bytes_ = 0;  // About as many as those take.
  std::optional<Error> ended_;
  std::shared_ptr<Promise<bool>> reader_;  // While there is nothing to read.
  Bell taken_;
};

}  // namespace fairlead::transport
