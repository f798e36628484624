#pragma once

#include <cstdint>
#include <fairlead/base/loop.hpp>
#include <fairlead/http/message.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bell.hpp"

namespace fairlead::transport {

/// The way to one HTTP answer, between those who have something to say and the coroutine that writes it: `pump`.
///
/// The answer is whole, or a stream of events; which one is decided by what is said first. On one loop. Shared by both
/// sides, because either may go first.
class Lane {
 public:
  explicit Lane(boost::asio::any_io_executor executor) : bell_(std::move(executor)) {}

  /// Events as they go on the wire.
  void say(std::string_view events);
  /// One `message` event.
  void say_message(std::string_view text, std::string_view id = {});

  /// The whole answer. Not after anything was said.
  void answer(http::Response whole);

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

 private:
  friend class Pump;

  bool may_speak();

  static constexpr std::size_t high_water = std::size_t{64} * 1024;

  Bell bell_;
  std::string unsent_;
  std::unique_ptr<http::Response> whole_;
  bool begun_ = false;
  bool ended_ = false;
  bool closed_ = false;  // Nobody writes any more.
  bool beat_ = false;    // A sign of life is due.
};

}  // namespace fairlead::transport
