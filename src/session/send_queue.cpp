#include "session/send_queue.hpp"

#include <algorithm>
#include <utility>

namespace fairlead::session {
namespace {

constexpr std::size_t one_write = 64 * 1024;

bool is_answer(const jsonrpc::Message& message) {
  return std::holds_alternative<jsonrpc::Response>(message) || std::holds_alternative<jsonrpc::ErrorResponse>(message);
}

}  // namespace

/// Wait of the idle writer. A local of its coroutine, which may be destroyed meanwhile.
class SendQueue::IdleWriter {
 public:
  explicit IdleWriter(SendQueue& of) : queue_(of) { queue_.idle_ = this; }
  IdleWriter(const IdleWriter&) = delete;
  IdleWriter& operator=(const IdleWriter&) = delete;
  ~IdleWriter() { queue_.idle_ = nullptr; }

  auto woken() { return woken_.wait(); }
  void wake(Write how) {
    queue_.idle_ = nullptr;
    woken_.set(std::move(how));
  }

 private:
  SendQueue& queue_;
  Promise<Write> woken_;
};

Task<Result<void>> SendQueue::push(transport::Outgoing outgoing) {
  while (!has_room()) {
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
  push_now(std::move(outgoing));
  co_return Result<void>();
}

bool SendQueue::push_if_room(transport::Outgoing& outgoing, Write how) {
  if (failure_ || !has_room()) return false;
  push_now(std::move(outgoing), how);
  return true;
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

void SendQueue::push_now(transport::Outgoing&& outgoing, Write how) {
  if (failure_) return;
  const bool nothing_before = idle_ || (start_ && !writing_);
  const auto send = how == Write::now ? &transport::Transport::send_alone : &transport::Transport::send_now;
  if (nothing_before && (transport_.*send)(outgoing)) return;
  const auto size = jsonrpc::size_of(outgoing.message);
  const bool answers = is_answer(outgoing.message);
  add({.what = std::move(outgoing), .size = size, .is_answer = answers});
  wake_writer(how);
}

void SendQueue::push_now(std::vector<jsonrpc::Message>&& batch) {
  if (failure_) return;
  std::size_t size = 0;
  for (const auto& message : batch) size += jsonrpc::size_of(message);
  add({.what = std::move(batch), .size = size, .is_answer = true});
  wake_writer(Write::together);
}

void SendQueue::add(Item item) {
  bytes_ += item.size;
  if (item.is_answer) {
    ++answers_;
    answer_bytes_ += item.size;
  }
  items_.push_back(std::move(item));
}

void SendQueue::wake_writer(Write how) {
  if (idle_) idle_->wake(how);
  if (start_ && !std::exchange(writing_, true)) start_();
}

Task<Result<void>> SendQueue::drain_now() {
  Result<void> written;
  while (waiting() && written) written = co_await write_some();
  writing_ = false;
  if (!written) stop(written.error());
  co_return written;
}

Task<Result<void>> SendQueue::drain() {
  while (true) {
    while (waiting()) {
      auto written = co_await write_some();
      if (!written) {
        stop(written.error());
        co_return written;
      }
    }
    if (finished_) co_return Result<void>();
    IdleWriter idle(*this);
    const auto how = co_await idle.woken();
    if (how == Write::together) co_await next_turn;
  }
}

void SendQueue::finish() {
  finished_ = true;
  if (idle_) idle_->wake(Write::together);
}

// Writes the messages queued during the last write, up to the size of a pipe or socket buffer.
Task<Result<void>> SendQueue::write_some() {
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
  const auto next = std::move(waiting_.front());
  waiting_.pop_front();
  next->set(true);
}

}  // namespace fairlead::session
