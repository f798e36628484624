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
  if (waiting_.empty() && !ended_) return wait_and_take();
  return take();
}

Task<Result<Received>> Inbox::wait_and_take() {
  while (waiting_.empty() && !ended_) {
    reader_.emplace();
    auto received = co_await reader_->wait();
    // Not inside end(), which a destructor may call.
    if (received && !*received) co_await next_turn;
    if (received) co_return std::move(*received);
  }
  co_return take();
}

Result<Received> Inbox::take() {
  auto received = waiting_.empty() ? Result<Received>(std::unexpected(*ended_)) : std::move(waiting_.front());
  if (!received) return received;
  waiting_.pop_front();
  bytes_ -= received_size(*received);
  taken_.notify();
  return received;
}

Task<void> Inbox::deliver(Received&& received) {
  if (!has_room() && !ended_) return wait_and_add(std::move(received));
  add(std::move(received));
  return {};
}

Task<void> Inbox::wait_and_add(Received received) {
  while (!has_room() && !ended_) co_await taken_.wait();
  add(std::move(received));
}

void Inbox::fail_request(const jsonrpc::Id& id, Error error) {
  add(RequestFailed{id, std::move(error)});
}

void Inbox::add(Received&& received) {
  if (ended_) return;
  if (reader_ && reader_->is_awaited()) return reader_->set(std::move(received));
  bytes_ += received_size(received);
  waiting_.push_back(std::move(received));
}

void Inbox::end(Error why) {
  if (ended_) return;
  ended_ = std::move(why);
  taken_.notify();
  if (reader_) reader_->set(std::unexpected(*ended_));
}

}  // namespace fairlead::transport
