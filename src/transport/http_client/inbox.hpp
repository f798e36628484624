#pragma once

#include <deque>
#include <fairlead/base/loop.hpp>
#include <fairlead/transport/transport.hpp>
#include <optional>

#include "base/bell.hpp"

namespace fairlead::transport {

/// Where the messages of several streams come together for one reader.
class Inbox {
 public:
  explicit Inbox(const Loop& loop) : filled_(loop.executor), taken_(loop.executor) {}

  Task<Result<Received>> receive();

  /// Waits while the reader is far behind.
  Task<void> deliver(Received received);
  void deliver_now(Received received);

  /// The last word: what came before can still be taken.
  void end(Error why);
  bool ended() const { return ended_.has_value(); }

 private:
  static constexpr std::size_t room = 256;

  std::deque<Received> waiting_;
  std::optional<Error> ended_;
  Bell filled_;
  Bell taken_;
};

}  // namespace fairlead::transport
