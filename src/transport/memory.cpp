#include <fairlead/transport/memory.hpp>

#include <deque>

#include "base/bell.hpp"

namespace fairlead::transport {
namespace {

/// One direction.
struct Channel {
  Channel(const boost::asio::any_io_executor& executor, std::size_t limit)
      : capacity(limit), filled(executor), drained(executor) {}

  void close() {
    closed = true;
    filled.ring();
    drained.ring();
  }

  std::size_t capacity;
  std::deque<Received> queue;
  bool closed = false;
  Bell filled;
  Bell drained;
};

// What a reader of text would have found on its way.
void mark(jsonrpc::Message& message) {
  if (auto* request = std::get_if<jsonrpc::Request>(&message)) {
    request->landmarks = jsonrpc::find_landmarks(request->params);
  } else if (auto* notification = std::get_if<jsonrpc::Notification>(&message)) {
    notification->landmarks = jsonrpc::find_landmarks(notification->params);
  }
}

class MemoryTransport final : public Transport {
 public:
  MemoryTransport(std::shared_ptr<Channel> in, std::shared_ptr<Channel> out)
      : in_(std::move(in)), out_(std::move(out)) {}
  ~MemoryTransport() override { close(); }

  Task<Result<Received>> receive() override {
    const auto in = in_;
    while (in->queue.empty() && !in->closed) co_await in->filled.wait();
    if (in->queue.empty()) co_return fail(ErrorKind::closed, "the peer closed the stream");
    Result<Received> received = std::move(in->queue.front());
    in->queue.pop_front();
    in->drained.ring();
    co_return received;
  }

  Task<Result<void>> send(Outgoing outgoing) override {
    mark(outgoing.message);
    return push(std::move(outgoing.message));
  }

  Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) override {
    jsonrpc::Batch batch;
    for (auto& message : messages) mark(message);
    for (auto& message : messages) batch.entries.emplace_back(std::move(message));
    return push(std::move(batch));
  }

  void close() noexcept override {
    // What the peer has not received yet it still may; what it sends from now on nobody would read.
    in_->queue.clear();
    in_->close();
    out_->close();
  }

 private:
  Task<Result<void>> push(Received what) {
    const auto out = out_;
    while (out->queue.size() >= out->capacity && !out->closed) co_await out->drained.wait();
    if (out->closed) co_return fail(ErrorKind::closed, "the peer closed the stream");
    out->queue.push_back(std::move(what));
    out->filled.ring();
    co_return Result<void>();
  }

  std::shared_ptr<Channel> in_;
  std::shared_ptr<Channel> out_;
};

}  // namespace

TransportPair memory_pair(Loop loop, std::size_t capacity) {
  const auto there = std::make_shared<Channel>(loop.executor, capacity);
  const auto back = std::make_shared<Channel>(loop.executor, capacity);
  return {std::make_unique<MemoryTransport>(back, there), std::make_unique<MemoryTransport>(there, back)};
}

}  // namespace fairlead::transport
