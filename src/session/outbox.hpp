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

/// What waits to be written, in order. One coroutine writes; senders wait when there is too much.
///
/// A sender that is cancelled leaves no half-written message behind, because it never writes itself.
class Outbox {
 public:
  Outbox(transport::Transport& transport, std::size_t limit) : transport_(transport), limit_(limit) {}

  /// Waits for room; then the item will be written unless the stream breaks.
  Task<Result<void>> push(transport::Outgoing outgoing);

  bool has_room() const { return failure_ || waiting() < limit_; }

  /// Messages that come while the writer is woken are written together, which costs each of them some time. `now` is
  /// for one that has nothing to wait for: no other is under way.
  enum class Write : std::uint8_t { together, now };

  /// The same where there is no need to wait: false, and the item untouched, where `push` has to be awaited.
  bool push_if_room(transport::Outgoing& outgoing, Write how);

  std::size_t waiting() const { return items_.size() - taken_; }

  /// For the few messages that must not wait: they may exceed the limit.
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
  using Item = std::variant<transport::Outgoing, std::vector<jsonrpc::Message>>;
  class Idle;

  void wake_writer(Write how);
  Task<Result<void>> write_some();
  Item& front() { return items_[taken_]; }
  void pop();
  std::vector<transport::Outgoing> take_together();
  void stop(const Error& error);

  transport::Transport& transport_;
  std::size_t limit_;
  std::vector<Item> items_;
  std::size_t taken_ = 0;      // Of the items, those that are written already.
  std::list<Signal> waiting_;  // Senders, first come first served.
  Idle* idle_ = nullptr;       // The writer, while there is nothing to write.
  std::function<void()> start_;
  bool writing_ = false;  // On demand.
  bool finished_ = false;
  std::optional<Error> failure_;
};

}  // namespace fairlead::session
