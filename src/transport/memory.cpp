#include <fairlead/transport/memory.hpp>

#include <deque>

#include "base/async_event.hpp"

namespace fairlead::transport {
namespace {

/// One direction.
struct Channel {
  Channel(const boost::asio::any_io_executor& executor, std::size_t limit)
      : capacity(limit), filled(executor), drained(executor) {}

  void close() {
    closed = true;
    filled.notify();
    drained.notify();
  }

  std::size_t capacity;
  std::deque<Received> queue;
  bool closed = false;
  AsyncEvent filled;
  AsyncEvent drained;
};

// Computes what a parser would have recorded.
void mark(jsonrpc::Message& message) {
  if (auto* request = std::get_if<jsonrpc::Request>(&message)) {
    request->param_spans = jsonrpc::locate_params(request->params);
  } else if (auto* notification = std::get_if<jsonrpc::Notification>(&message)) {
    notification->param_spans = jsonrpc::locate_params(notification->params);
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
    in->drained.notify();
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
    // The peer may still receive queued messages; new ones would never be read.
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
    out->filled.notify();
    co_return Result<void>();
  }

  std::shared_ptr<Channel> in_;
  std::shared_ptr<Channel> out_;
};

}  // namespace

TransportPair memory_pair(EventLoop loop, std::size_t capacity) {
  const auto there = std::make_shared<Channel>(loop.executor, capacity);
  const auto back = std::make_shared<Channel>(loop.executor, capacity);
  return {std::make_unique<MemoryTransport>(back, there), std::make_unique<MemoryTransport>(there, back)};
}

}  // namespace fairlead::transport
