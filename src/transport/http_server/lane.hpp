#pragma once

#include <cstdint>
#include <fairlead/base/task.hpp>
#include <fairlead/http/message.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/promise.hpp"

namespace fairlead::transport {

/// The way to one HTTP answer, between those who have something to say and whoever writes it: mostly `pump`.
///
/// The answer is whole, or a stream of events; which one is decided by what is said first. On one loop. Shared by both
/// sides, because either may go first.
class Lane {
 public:
  enum class Wake : std::uint8_t { later, now };

  /// Woken once, when there is something to write; then it says that it waits again.
  class Writer {
   public:
    /// `later`: not before this returns.
    virtual void go_on(Wake how) = 0;

   protected:
    ~Writer() = default;
  };

  /// Events as they go on the wire.
  void say(std::string_view events);
  /// One `message` event.
  void say_message(std::string_view text, std::string_view id = {});

  /// The whole answer. Not after anything was said.
  void answer(http::Response whole);
  /// The same where it leaves at once, before this returns. What the client sends next may be served in it too, so
  /// nothing of the caller's may be half done.
  void answer_now(http::Response whole);

  /// Nothing more will be said; what was said is still written.
  void end();

  /// Whether the answer is a stream already, so that it cannot be whole any more.
  bool streaming() const { return begun_ || !unsent_.empty(); }
  bool closed() const { return closed_; }
  bool ended() const { return ended_; }

  /// Whether the client is behind, and the sender should wait for it.
  bool full() const { return unsent_.size() > high_water && !closed_; }

  /// Until the client has read most of what was said, or has gone.
  Task<void> room();

  // For the writer.
  /// Stays until it is woken or the lane is closed.
  void set_writer(Writer& writer) { writer_ = &writer; }
  std::optional<http::Response> take_whole();
  /// Nobody writes any more.
  void close();

 private:
  friend class Pump;

  using Signal = std::shared_ptr<Promise<bool>>;

  bool may_speak();
  bool put_whole(http::Response&& whole);
  void wake_writer(Wake how = Wake::later);
  void wake_senders();

  static constexpr std::size_t high_water = std::size_t{64} * 1024;

  Writer* writer_ = nullptr;     // While it has nothing to write.
  std::vector<Signal> senders_;  // Those who wait for room.
  std::string unsent_;
  std::unique_ptr<http::Response> whole_;
  bool begun_ = false;
  bool ended_ = false;
  bool closed_ = false;  // Nobody writes any more.
  bool beat_ = false;    // A sign of life is due.
};

}  // namespace fairlead::transport
