#include <algorithm>
#include <fairlead/transport/memory.hpp>
#include <string>

#include "base/async_event.hpp"

namespace fairlead::transport {
namespace {

/// One direction.
struct MemoryPipe {
  explicit MemoryPipe(const boost::asio::any_io_executor& executor) : filled(executor), drained(executor) {}

  void close() {
    closed = true;
    filled.notify();
    drained.notify();
  }

  std::string bytes;
  bool closed = false;
  AsyncEvent filled;
  AsyncEvent drained;
};

class MemoryStream final : public ByteStream {
 public:
  MemoryStream(MemoryBytes options, std::shared_ptr<MemoryPipe> in, std::shared_ptr<MemoryPipe> out)
      : options_(options), in_(std::move(in)), out_(std::move(out)) {}
  ~MemoryStream() override { close(); }

  Task<Result<std::size_t>> read(std::span<char> buffer) override {
    const auto in = in_;
    while (in->bytes.empty() && !in->closed && !closed_) co_await in->filled.wait();
    if (closed_) co_return fail(ErrorKind::closed, "the stream was closed");
    std::size_t size = std::min(buffer.size(), in->bytes.size());
    if (options_.chunk != 0) size = std::min(size, options_.chunk);
    std::copy_n(in->bytes.begin(), size, buffer.begin());
    in->bytes.erase(0, size);
    in->drained.notify();
    co_return size;
  }

  Task<Result<void>> write(std::string_view bytes) override {
    const auto out = out_;
    while (!bytes.empty()) {
      while (out->bytes.size() >= options_.capacity && !out->closed) co_await out->drained.wait();
      if (out->closed) co_return fail(ErrorKind::closed, "the peer does not read any more");
      const auto size = std::min(bytes.size(), options_.capacity - out->bytes.size());
      out->bytes += bytes.substr(0, size);
      bytes.remove_prefix(size);
      out->filled.notify();
    }
    co_return Result<void>();
  }

  void close() noexcept override {
    closed_ = true;
    in_->close();
    out_->close();
  }

 private:
  MemoryBytes options_;
  std::shared_ptr<MemoryPipe> in_;
  std::shared_ptr<MemoryPipe> out_;
  bool closed_ = false;
};

}  // namespace

ByteStreamPair memory_byte_pair(EventLoop loop, MemoryBytes options) {
  const auto there = std::make_shared<MemoryPipe>(loop.executor);
  const auto back = std::make_shared<MemoryPipe>(loop.executor);
  return {std::make_unique<MemoryStream>(options, back, there), std::make_unique<MemoryStream>(options, there, back)};
}

}  // namespace fairlead::transport
