#include "transport/http_client/inbox.hpp"

#include <utility>

namespace fairlead::transport {
namespace {

std::size_t received_size(const Received& received) {
  if (const auto* message = std::get_if<jsonrpc::Message>(&received)) return jsonrpc::size_of(*message);
  if (const auto* related = std::get_if<MessageForRequest>(&received)) return jsonrpc::size_of(related->message);
  const auto* batch = std::get_if<jsonrpc::Batch>(&received);
  std::size_t size = 0;
  if (batch == nullptr) return size;
  for (const auto& entry : batch->entries) size += entry ? jsonrpc::size_of(*entry) : 0;
  return size;
}

}  // namespace

Task<Result<Received>> Inbox::receive() {
  while (waiting_.empty() && !ended_) {
    reader_ = std::make_shared<Promise<bool>>();
    const auto woken = reader_;
    co_await woken->settled();
  }
  if (waiting_.empty()) co_return std::unexpected(*ended_);
  Result<Received> received = std::move(waiting_.front());
  waiting_.pop_front();
  bytes_ -= received_size(*received);
  taken_.notify();
  co_return received;
}

Task<void> Inbox::writable() {
  while (!has_room() && !ended_) co_await taken_.wait();
}

Task<void> Inbox::deliver(Received received) {
  if (!has_room()) co_await writable();
  deliver_now(std::move(received));
}

void Inbox::deliver_now(Received&& received) {
  if (ended_) return;
  bytes_ += received_size(received);
  waiting_.push_back(std::move(received));
  if (const auto reader = std::exchange(reader_, nullptr)) reader->set_and_yield(true);
}

void Inbox::end(Error why) {
  if (ended_) return;
  ended_ = std::move(why);
  if (const auto reader = std::exchange(reader_, nullptr)) reader->set(true);
  taken_.notify();
}

}  // namespace fairlead::transport
