#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/transport/transport.hpp>
#include <functional>
#include <list>
#include <memory>
#include <variant>
#include <vector>

#include "base/promise.hpp"

namespace fairlead::session {

/// Limits for messages that wait for a peer that does not read. A message is accepted while both are below their
/// limits, so that a message of any size can be sent.
struct SendQueueLimits {
  std::size_t messages = 1024;
  std::size_t bytes = std::size_t{4} * 1024 * 1024;
};

/// Queue of outgoing messages. One coroutine writes; senders wait while the queue is full.
///
/// Senders never write themselves, so that cancelling a sender cannot leave a partial message. Responses to the peer
/// never wait for space: instead, reading from the peer pauses while `is_backlogged`.
class SendQueue {
 public:
  SendQueue(transport::Transport& transport, SendQueueLimits limits) : transport_(transport), limits_(limits) {}

  /// Waits for space, then queues the message; it is written unless the connection breaks.
  Task<Result<void>> push(transport::Outgoing outgoing);

  bool has_room() const { return failure_ || (waiting() < limits_.messages && bytes_ < limits_.bytes); }

  /// True if so many responses wait for the peer to read them that reading its requests should pause.
  bool is_backlogged() const { return !failure_ && (answers_ >= limits_.messages || answer_bytes_ >= limits_.bytes); }
  /// Waits until `is_backlogged` is false or writing has ended. Returns early if the coroutine is cancelled.
  Task<void> backlog_cleared();
  /// Ends all waits in `backlog_cleared`.
  void stop_waiting();

  /// `together`: messages queued before the writer resumes are written together, which adds latency. `now`: for a
  /// message when no other call is pending.
  enum class Write : std::uint8_t { together, now };

  /// Queues a message without waiting. On false the message is unchanged: await `push`.
  bool push_if_room(transport::Outgoing& outgoing, Write how);

  std::size_t waiting() const { return items_.size() - popped_; }
  /// Number of messages that the transport has accepted. It accepts the next ones when these are written.
  std::uint64_t written() const { return written_; }
  /// Approximate size of the waiting messages.
  std::size_t waiting_bytes() const { return bytes_; }

  /// Queues a message even if the limits are exceeded: for responses and cancellations.
  void push_now(transport::Outgoing&& outgoing, Write how = Write::together);
  void push_now(std::vector<jsonrpc::Message>&& batch);

  /// Writes until `finish` was called and the queue is empty, or writing fails; returns the error.
  Task<Result<void>> drain();

  /// Alternative to `drain`: calls `start` when messages wait, which then runs `drain_now`.
  void write_on_demand(std::function<void()> start) { start_ = std::move(start); }
  Task<Result<void>> drain_now();

  /// No more messages will be queued.
  void finish();

 private:
  using Signal = std::shared_ptr<Promise<bool>>;
  struct Item {
    std::variant<transport::Outgoing, std::vector<jsonrpc::Message>> what;
    std::size_t size;
    bool is_answer;
  };
  class IdleWriter;

  void add(Item item);
  void wake_writer(Write how);
  Task<Result<void>> write_some();
  Item& front() { return items_[popped_]; }
  void pop();
  std::vector<transport::Outgoing> take_together();
  void stop(const Error& error);
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
  IdleWriter* idle_ = nullptr;   // The writer, while it has nothing to write.
  std::function<void()> start_;
  bool writing_ = false;  // `drain_now` is running.
  bool finished_ = false;
  bool waiting_stopped_ = false;
  std::optional<Error> failure_;
};

}  // namespace fairlead::session
