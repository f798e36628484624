#include "session/outbox.hpp"

#include <utility>

namespace fairlead::session {

Task<Result<void>> Outbox::push(Item item) {
  while (!failure_ && items_.size() >= limit_) {
    const auto turn = std::make_shared<Promise<bool>>();
    waiting_.push_back(turn);
    const bool admitted = co_await turn->wait(false);
    if (!admitted && !failure_) {
      std::erase(waiting_, turn);
      co_return fail(ErrorKind::cancelled, "cancelled while the peer was not reading");
    }
  }
  if (failure_) co_return std::unexpected(*failure_);
  push_now(std::move(item));
  co_return Result<void>();
}

void Outbox::push_now(Item item) {
  if (failure_) return;
  items_.push_back(std::move(item));
  if (idle_) std::exchange(idle_, nullptr)->set(true);
}

Task<Result<void>> Outbox::drain() {
  while (true) {
    while (!items_.empty()) {
      auto item = std::move(items_.front());
      items_.pop_front();
      admit_next();
      auto written = co_await write(std::move(item));
      if (!written) {
        stop(written.error());
        co_return written;
      }
    }
    if (finished_) co_return Result<void>();
    idle_ = std::make_shared<Promise<bool>>();
    const auto woken = idle_;
    co_await woken->wait(false);
  }
}

void Outbox::finish() {
  finished_ = true;
  if (idle_) std::exchange(idle_, nullptr)->set(true);
}

Task<Result<void>> Outbox::write(Item item) {
  if (auto* outgoing = std::get_if<transport::Outgoing>(&item)) return transport_.send(std::move(*outgoing));
  return transport_.send_batch(std::move(std::get<std::vector<jsonrpc::Message>>(item)));
}

void Outbox::stop(const Error& error) {
  failure_ = error;
  items_.clear();
  for (const auto& sender : std::exchange(waiting_, {})) sender->set(true);
}

void Outbox::admit_next() {
  if (waiting_.empty()) return;
  waiting_.front()->set(true);
  waiting_.pop_front();
}

}  // namespace fairlead::session
