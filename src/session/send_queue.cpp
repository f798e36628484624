#include "session/send_queue.hpp"

#include <algorithm>
#include <utility>

#include "base/next_turn.hpp"

namespace fairlead::session {
namespace {

constexpr std::size_t one_write = 64 * 1024;

bool is_answer(const jsonrpc::Message& message) {
  return std::holds_alternative<jsonrpc::Response>(message) || std::holds_alternative<jsonrpc::ErrorResponse>(message);
}

}  // namespace

void SendQueue::start(std::function<void(Task<void>)> spawn, std::function<void(const Error&)> on_failure) {
  spawn_ = std::move(spawn);
  on_failure_ = std::move(on_failure);
  if (waiting() == 0) return;
  writing_ = true;
  spawn_(write_all(Flush::at_once));
}

Task<Result<void>> SendQueue::push(transport::Outgoing&& outgoing, Flush flush) {
  if (failure_) return std::unexpected(*failure_);
  if (!has_room()) return push_when_room(std::move(outgoing), flush);
  push_unlimited(std::move(outgoing), flush);
  return Result<void>();
}

Task<Result<void>> SendQueue::push_when_room(transport::Outgoing outgoing, Flush flush) {
  while (!has_room() && !failure_) {
    const auto turn = std::make_shared<Promise<bool>>();
    waiting_.push_back(turn);
    const auto admitted = co_await turn->wait();
    if (!admitted && !failure_) {
      std::erase(waiting_, turn);
      co_return fail(ErrorKind::cancelled, "cancelled while the peer was not reading");
    }
    // Not inside pop() or stop().
    if (admitted) co_await next_turn;
  }
  if (failure_) co_return std::unexpected(*failure_);
  push_unlimited(std::move(outgoing), flush);
  co_return Result<void>();
}

Task<void> SendQueue::backlog_cleared() {
  while (is_backlogged() && !waiting_stopped_) {
    const auto turn = std::make_shared<Promise<bool>>();
    readers_.push_back(turn);
    const auto woken = co_await turn->wait();
    std::erase(readers_, turn);
    if (!woken) co_return;
    // Not inside pop() or stop().
    co_await next_turn;
  }
}

void SendQueue::stop_waiting() {
  waiting_stopped_ = true;
  wake_readers();
}

void SendQueue::push_unlimited(transport::Outgoing&& outgoing, Flush flush) {
  if (failure_) return;
  const auto size = jsonrpc::size_of(outgoing.message);
  const bool answers = is_answer(outgoing.message);
  const bool waits = writing_ || !spawn_ || (flush == Flush::turn_end && transport_.coalesces_writes());
  if (waits) return add({.what = std::move(outgoing), .size = size, .is_answer = answers}, flush);
  auto sending = transport_.send(std::move(outgoing));
  if (sending.is_ready()) {
    auto sent = sending.take();
    if (sent) return;
    // The writer reports the error.
    sending = std::unexpected(std::move(sent.error()));
  }
  add({.what = std::move(sending), .size = size, .is_answer = answers}, Flush::at_once);
}

void SendQueue::push_unlimited(std::vector<jsonrpc::Message>&& batch) {
  if (failure_) return;
  std::size_t size = 0;
  for (const auto& message : batch) size += jsonrpc::size_of(message);
  add({.what = std::move(batch), .size = size, .is_answer = true}, Flush::turn_end);
}

void SendQueue::add(Item item, Flush flush) {
  bytes_ += item.size;
  if (item.is_answer) {
    ++answers_;
    answer_bytes_ += item.size;
  }
  items_.push_back(std::move(item));
  if (spawn_ && !std::exchange(writing_, true)) spawn_(write_all(flush));
}

Task<void> SendQueue::write_all(Flush flush) {
  if (flush == Flush::turn_end) co_await next_turn;
  Result<void> written;
  while (waiting() && written) written = co_await write_some();
  writing_ = false;
  if (written) co_return;
  stop(written.error());
  on_failure_(written.error());
}

// Writes the messages queued during the last write, up to the size of a pipe or socket buffer.
Task<Result<void>> SendQueue::write_some() {
  if (auto* begun = std::get_if<Task<Result<void>>>(&front().what)) {
    auto sending = std::move(*begun);
    pop();
    return sending;
  }
  if (auto* batch = std::get_if<std::vector<jsonrpc::Message>>(&front().what)) {
    auto messages = std::move(*batch);
    pop();
    return transport_.send_batch(std::move(messages));
  }
  if (waiting() == 1) {
    auto sending = transport_.send(std::move(std::get<transport::Outgoing>(front().what)));
    pop();
    return sending;
  }
  return transport_.send_all(take_together());
}

std::vector<transport::Outgoing> SendQueue::take_together() {
  std::vector<transport::Outgoing> together;
  constexpr std::size_t usual = 64;
  together.reserve(std::min(waiting(), usual));
  for (std::size_t bytes = 0; waiting() && bytes < one_write;) {
    auto* outgoing = std::get_if<transport::Outgoing>(&front().what);
    if (!outgoing) break;
    bytes += front().size;
    together.push_back(std::move(*outgoing));
    pop();
  }
  return together;
}

void SendQueue::stop(const Error& error) {
  if (failure_) return;
  failure_ = error;
  items_.clear();
  popped_ = 0;
  bytes_ = answers_ = answer_bytes_ = 0;
  for (const auto& sender : std::exchange(waiting_, {})) sender->set(true);
  wake_readers();
}

void SendQueue::wake_readers() {
  for (const auto& reader : std::exchange(readers_, {})) reader->set(true);
}

void SendQueue::pop() {
  ++written_;
  bytes_ -= front().size;
  if (front().is_answer) {
    --answers_;
    answer_bytes_ -= front().size;
  }
  // Removed items are erased when they are the majority, so that each item is moved about once.
  if (++popped_ * 2 > items_.size()) {
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(std::exchange(popped_, 0)));
  }
  if (!readers_.empty() && !is_backlogged()) wake_readers();
  if (waiting_.empty() || !has_room()) return;
  const auto sender = std::move(waiting_.front());
  waiting_.pop_front();
  sender->set(true);
}

}  // namespace fairlead::session
