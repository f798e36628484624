#include "session/outbox.hpp"

#include <algorithm>
#include <utility>

namespace fairlead::session {
namespace {

constexpr std::size_t one_write = 64 * 1024;

/// About as many bytes as it will take.
std::size_t size_of(const jsonrpc::Message& message) {
  constexpr std::size_t envelope = 64;
  if (const auto* response = std::get_if<jsonrpc::Response>(&message)) return envelope + response->result.text().size();
  if (const auto* request = std::get_if<jsonrpc::Request>(&message)) return envelope + request->params.text().size();
  if (const auto* notice = std::get_if<jsonrpc::Notification>(&message)) return envelope + notice->params.text().size();
  return envelope;
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

void Outbox::push_now(transport::Outgoing&& outgoing, Write how) {
  if (failure_) return;
  const bool nothing_before = idle_ || (start_ && !writing_);
  const auto send = how == Write::now ? &transport::Transport::send_alone : &transport::Transport::send_now;
  if (nothing_before && (transport_.*send)(outgoing)) return;
  items_.emplace_back(std::move(outgoing));
  wake_writer(how);
}

void Outbox::push_now(std::vector<jsonrpc::Message>&& batch) {
  if (failure_) return;
  items_.emplace_back(std::move(batch));
  wake_writer(Write::together);
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
  if (auto* batch = std::get_if<std::vector<jsonrpc::Message>>(&front())) {
    auto messages = std::move(*batch);
    pop();
    return transport_.send_batch(std::move(messages));
  }
  if (waiting() == 1) {
    auto sending = transport_.send(std::move(std::get<transport::Outgoing>(front())));
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
    auto* outgoing = std::get_if<transport::Outgoing>(&front());
    if (!outgoing) break;
    bytes += size_of(outgoing->message);
    together.push_back(std::move(*outgoing));
    pop();
  }
  return together;
}

void Outbox::stop(const Error& error) {
  failure_ = error;
  items_.clear();
  taken_ = 0;
  for (const auto& sender : std::exchange(waiting_, {})) sender->set(true);
}

void Outbox::pop() {
  // What was taken leaves when it is most of what there is, so that an item is moved about once.
  if (++taken_ * 2 > items_.size()) {
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(std::exchange(taken_, 0)));
  }
  if (waiting_.empty()) return;
  waiting_.front()->set(true);
  waiting_.pop_front();
}

}  // namespace fairlead::session
