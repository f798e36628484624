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

/// What may wait for a peer that does not read. One more message is taken while both are below their limits, so that
/// one of any size can be sent.
struct OutboxLimits {
  std::size_t messages = 1024;
  std::size_t bytes = std::size_t{4} * 1024 * 1024;
};

/// What waits to be written, in order. One coroutine writes; senders wait when there is too much.
///
/// A sender that is cancelled leaves no half-written message behind, because it never writes itself. Answers to the
/// peer's requests never wait for room: instead, whoever reads the peer's requests stops while `is_behind`.
class Outbox {
 public:
  Outbox(transport::Transport& transport, OutboxLimits limits) : transport_(transport), limits_(limits) {}

  /// Waits for room; then the item will be written unless the stream breaks.
  Task<Result<void>> push(transport::Outgoing outgoing);

  bool has_room() const { return failure_ || (waiting() < limits_.messages && bytes_ < limits_.bytes); }

  /// Whether the peer leaves so many answers unread that no more should be asked of us.
  bool is_behind() const { return !failure_ && (answers_ >= limits_.messages || answer_bytes_ >= limits_.bytes); }
  /// Until it is not, or nothing will be written any more. Returns early in a coroutine that is cancelled.
  Task<void> caught_up();
  /// Nobody waits for the peer any more.
  void abandon();

  /// Messages that come while the writer is woken are written together, which costs each of them some time. `now` is
  /// for one that has nothing to wait for: no other is under way.
  enum class Write : std::uint8_t { together, now };

  /// The same where there is no need to wait: false, and the item untouched, where `push` has to be awaited.
  bool push_if_room(transport::Outgoing& outgoing, Write how);

  std::size_t waiting() const { return items_.size() - taken_; }
  /// About as many as `waiting` take.
  std::size_t waiting_bytes() const { return bytes_; }

  /// For answers, and the few messages that must not wait: they may exceed the limits.
  void push_now(transport::Outgoing&& outgoing, Write how = Write::together);
  void push_now(std::vector<jsonrpc::Message>&& batch);

  /// Writes until `finish` and nothing is left, or until writing fails: then that is the result.
  Task<Result<void>> drain();

  /// Without a `drain` that runs all the time: what cannot be sent at once waits, and `start` is called to have
  /// `drain_now` run, which writes what waits.
  void write_on_demand(std::function<void()> start) { start_ = std::move(start); }
  Task<Result<void>> drain_now();

  /// Nothing will be pushed any more.
  void finish();

 private:
  using Signal = std::shared_ptr<Promise<bool>>;
  struct Item {
    std::variant<transport::Outgoing, std::vector<jsonrpc::Message>> what;
    std::size_t size;
    bool is_answer;
  };
  class Idle;

  void add(Item item);
  void wake_writer(Write how);
  Task<Result<void>> write_some();
  Item& front() { return items_[taken_]; }
  void pop();
  std::vector<transport::Outgoing> take_together();
  void stop(const Error& error);
  void wake_readers();

  transport::Transport& transport_;
  OutboxLimits limits_;
  std::vector<Item> items_;
  std::size_t taken_ = 0;  // Of the items, those that are written already.
  std::size_t bytes_ = 0;  // Of those that wait.
  std::size_t answers_ = 0;
  std::size_t answer_bytes_ = 0;
  std::list<Signal> waiting_;    // Senders, first come first served.
  std::vector<Signal> readers_;  // Those who wait until the peer has caught up.
  Idle* idle_ = nullptr;         // The writer, while there is nothing to write.
  std::function<void()> start_;
  bool writing_ = false;  // On demand.
  bool finished_ = false;
  bool abandoned_ = false;
  std::optional<Error> failure_;
};

}  // namespace fairlead::session
