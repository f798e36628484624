#include "session/outbox.hpp"

#include <algorithm>
#include <utility>

namespace fairlead::session {
namespace {

constexpr std::size_t one_write = 64 * 1024;

bool is_answer(const jsonrpc::Message& message) {
  return std::holds_alternative<jsonrpc::Response>(message) || std::holds_alternative<jsonrpc::ErrorResponse>(message);
}

}  // namespace

/// The writer's sleep. A local of its coroutine, which may be ended in it.
class Outbox::Idle {
 public:
  explicit Idle(Outbox& of) : outbox_(of) { outbox_.idle_ = this; }
  Idle(const Idle&) = delete;
  Idle& operator=(const Idle&) = delete;
  ~Idle() { outbox_.idle_ = nullptr; }

  auto woken() { return woken_.settled(); }
  void wake(Write how) {
    outbox_.idle_ = nullptr;
    how == Write::now ? woken_.set_and_yield(true) : woken_.set(true);
  }

 private:
  Outbox& outbox_;
  Promise<bool> woken_;
};

Task<Result<void>> Outbox::push(transport::Outgoing outgoing) {
  while (!has_room()) {
    const auto turn = std::make_shared<Promise<bool>>();
    waiting_.push_back(turn);
    const bool admitted = co_await turn->wait(false);
    if (!admitted && !failure_) {
      std::erase(waiting_, turn);
      co_return fail(ErrorKind::cancelled, "cancelled while the peer was not reading");
    }
  }
  if (failure_) co_return std::unexpected(*failure_);
  push_now(std::move(outgoing));
  co_return Result<void>();
}

bool Outbox::push_if_room(transport::Outgoing& outgoing, Write how) {
  if (failure_ || !has_room()) return false;
  push_now(std::move(outgoing), how);
  return true;
}

Task<void> Outbox::caught_up() {
  while (is_behind() && !abandoned_) {
    const auto turn = std::make_shared<Promise<bool>>();
    readers_.push_back(turn);
    const bool told = co_await turn->wait(false);
    std::erase(readers_, turn);
    if (!told) co_return;
  }
}

void Outbox::abandon() {
  abandoned_ = true;
  wake_readers();
}

void Outbox::push_now(transport::Outgoing&& outgoing, Write how) {
  if (failure_) return;
  const bool nothing_before = idle_ || (start_ && !writing_);
  const auto send = how == Write::now ? &transport::Transport::send_alone : &transport::Transport::send_now;
  if (nothing_before && (transport_.*send)(outgoing)) return;
  const auto size = jsonrpc::size_of(outgoing.message);
  const bool answers = is_answer(outgoing.message);
  add({.what = std::move(outgoing), .size = size, .is_answer = answers});
  wake_writer(how);
}

void Outbox::push_now(std::vector<jsonrpc::Message>&& batch) {
  if (failure_) return;
  std::size_t size = 0;
  for (const auto& message : batch) size += jsonrpc::size_of(message);
  add({.what = std::move(batch), .size = size, .is_answer = true});
  wake_writer(Write::together);
}

void Outbox::add(Item item) {
  bytes_ += item.size;
  if (item.is_answer) {
    ++answers_;
    answer_bytes_ += item.size;
  }
  items_.push_back(std::move(item));
}

void Outbox::wake_writer(Write how) {
  if (idle_) idle_->wake(how);
  if (start_ && !std::exchange(writing_, true)) start_();
}

Task<Result<void>> Outbox::drain_now() {
  Result<void> written;
  while (waiting() && written) written = co_await write_some();
  writing_ = false;
  if (!written) stop(written.error());
  co_return written;
}

Task<Result<void>> Outbox::drain() {
  while (true) {
    while (waiting()) {
      auto written = co_await write_some();
      if (!written) {
        stop(written.error());
        co_return written;
      }
    }
    if (finished_) co_return Result<void>();
    Idle idle(*this);
    co_await idle.woken();
  }
}

void Outbox::finish() {
  finished_ = true;
  if (idle_) idle_->wake(Write::together);
}

// Whatever has gathered while the last write was under way, up to what fits into a pipe or a socket at once.
Task<Result<void>> Outbox::write_some() {
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

std::vector<transport::Outgoing> Outbox::take_together() {
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

void Outbox::stop(const Error& error) {
  failure_ = error;
  items_.clear();
  taken_ = 0;
  bytes_ = answers_ = answer_bytes_ = 0;
  for (const auto& sender : std::exchange(waiting_, {})) sender->set(true);
  wake_readers();
}

void Outbox::wake_readers() {
  for (const auto& reader : std::exchange(readers_, {})) reader->set(true);
}

void Outbox::pop() {
  bytes_ -= front().size;
  if (front().is_answer) {
    --answers_;
    answer_bytes_ -= front().size;
  }
  // What was taken leaves when it is most of what there is, so that an item is moved about once.
  if (++taken_ * 2 > items_.size()) {
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(std::exchange(taken_, 0)));
  }
  if (!readers_.empty() && !is_behind()) wake_readers();
  if (waiting_.empty() || !has_room()) return;
  waiting_.front()->set(true);
  waiting_.pop_front();
}

}  // namespace fairlead::session
