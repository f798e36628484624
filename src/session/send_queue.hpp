#pragma once

#include <cstddef>
#include <fairlead/transport/transport.hpp>
#include <functional>
#include <list>
#include <memory>

#include "base/promise.hpp"

namespace fairlead::session {

/// Limits for messages that wait for a peer that does not read. A message is accepted while both are below their
/// limits, so that a message of any size can be sent.
struct SendQueueLimits {
  std::size_t messages = 1024;
  std::size_t bytes = std::size_t{4} * 1024 * 1024;
};

/// When a message is written, if the transport coalesces writes.
enum class Flush : std::uint8_t {
  turn_end,  ///< At the end of this turn of the loop, together with the others.
  at_once,   ///< Without the delay, for a message that no other is expected to follow.
};

/// Queue of outgoing messages. One coroutine writes those that the transport does not accept at once; senders wait
/// while the queue is full.
///
/// Senders never wait for the transport themselves, so that cancelling a sender cannot leave a partial message.
/// Responses to the peer never wait for space: instead, reading from the peer pauses while `is_backlogged`.
class SendQueue {
 public:
  SendQueue(transport::Transport& transport, SendQueueLimits limits) : transport_(transport), limits_(limits) {}

  /// Begins to write. `spawn` starts a writer, in a scope that lives until `stop`; messages pushed before wait.
  void start(std::function<void(Task<void>)> spawn, std::function<void(const Error&)> on_failure);
  /// Refuses all further messages with this error and discards those that wait.
  void stop(const Error& error);

  /// Queues a message; it is written unless the connection breaks. The task is ready if there is space, else it waits
  /// for it and must be awaited.
  Task<Result<void>> push(transport::Outgoing&& outgoing, Flush flush = Flush::turn_end);

  /// Queues a message even if the limits are exceeded: for responses and cancellations.
  void push_unlimited(transport::Outgoing&& outgoing, Flush flush = Flush::turn_end);
  void push_unlimited(std::vector<jsonrpc::Message>&& batch);

  bool has_room() const { return waiting() < limits_.messages && bytes_ < limits_.bytes; }

  /// True if so many responses wait for the peer to read them that reading its requests should pause.
  bool is_backlogged() const { return !failure_ && (answers_ >= limits_.messages || answer_bytes_ >= limits_.bytes); }
  /// Waits until `is_backlogged` is false or writing has ended. Returns early if the coroutine is cancelled.
  Task<void> backlog_cleared();
  /// Ends all waits in `backlog_cleared`.
  void stop_waiting();

  std::size_t waiting() const { return items_.size() - popped_; }
  /// Number of messages that the transport has accepted. It accepts the next ones when these are written.
  std::uint64_t written() const { return written_; }
  /// Approximate size of the waiting messages.
  std::size_t waiting_bytes() const { return bytes_; }
  /// The error that ended writing.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  using Signal = std::shared_ptr<Promise<bool>>;
  struct Item {
    /// A message, the responses to a batch, or a message that the transport has begun to send.
    std::variant<transport::Outgoing, std::vector<jsonrpc::Message>, Task<Result<void>>> what;
    std::size_t size;
    bool is_answer;
  };

  void add(Item item, Flush flush);
  Task<Result<void>> push_when_room(transport::Outgoing outgoing, Flush flush);
  Task<void> write_all(Flush flush);
  Task<Result<void>> write_some();
  Item& front() { return items_[popped_]; }
  void pop();
  std::vector<transport::Outgoing> take_together();
  void wake_readers();

  transport::Transport& transport_;
  SendQueueLimits limits_;
  std::vector<Item> items_;
  std::size_t popped_ = 0;  // Number of leading items that were removed.
  std::size_t bytes_ = 0;   // Size of the waiting items.
  std::uint64_t written_ = 0;
  std::size_t answers_ = 0;
  std::size_t answer_bytes_ = 0;
  std::list<Signal> waiting_;    // Senders that wait for space, in order.
  std::vector<Signal> readers_;  // Waits in `backlog_cleared`.
  std::function<void(Task<void>)> spawn_;
  std::function<void(const Error&)> on_failure_;
  bool writing_ = false;  // A writer runs.
  bool waiting_stopped_ = false;
  std::optional<Error> failure_;
};

}  // namespace fairlead::session
