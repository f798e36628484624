#pragma once

#include <deque>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/transport/transport.hpp>

#include "base/async_event.hpp"
#include "base/promise.hpp"

namespace fairlead::transport {

/// Queue of received messages of several streams, with one reader.
class Inbox {
 public:
  explicit Inbox(const EventLoop& loop) : taken_(loop.executor) {}

  Task<Result<Received>> receive();

  /// Resumes the reader inline. Waits first while the queue is full.
  Task<void> deliver(Received&& received);
  /// Delivers a `RequestFailed`. Never waits: there is at most one for each pending request.
  void fail_request(const jsonrpc::Id& id, Error error);

  /// Ends the queue with an error; queued messages can still be received.
  void end(Error why);
  bool ended() const { return ended_.has_value(); }

 private:
  bool has_room() const { return waiting_.size() < max_messages && bytes_ < max_bytes; }
  Task<Result<Received>> wait_and_take();
  Result<Received> take();
  Task<void> wait_and_add(Received received);
  void add(Received&& received);

  // As many as a session handles in one turn of the event loop: a server that floods waits for the session.
  static constexpr std::size_t max_messages = 16;
  static constexpr std::size_t max_bytes = std::size_t{4} * 1024 * 1024;

  std::deque<Received> waiting_;
  std::size_t bytes_ = 0;  // Approximate size of the queued messages.
  std::optional<Error> ended_;
  std::optional<Promise<Result<Received>>> reader_;  // The last wait of `receive`.
  AsyncEvent taken_;
};

}  // namespace fairlead::transport
