#include "transport/http_client/inbox.hpp"

#include <utility>

namespace fairlead::transport {

Task<Result<Received>> Inbox::receive() {
  while (waiting_.empty() && !ended_) co_await filled_.wait();
  if (waiting_.empty()) co_return std::unexpected(*ended_);
  Result<Received> received = std::move(waiting_.front());
  waiting_.pop_front();
  taken_.ring();
  co_return received;
}

Task<void> Inbox::deliver(Received received) {
  while (waiting_.size() >= room && !ended_) co_await taken_.wait();
  deliver_now(std::move(received));
}

void Inbox::deliver_now(Received received) {
  if (ended_) return;
  waiting_.push_back(std::move(received));
  filled_.ring();
}

void Inbox::end(Error why) {
  if (ended_) return;
  ended_ = std::move(why);
  filled_.ring();
  taken_.ring();
}

}  // namespace fairlead::transport
