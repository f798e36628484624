#pragma once

#include <algorithm>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/http/stream.hpp>
#include <memory>
#include <string>

#include "base/async_event.hpp"

namespace fairlead::test {

/// One end of an in-memory connection.
class MemoryStream final : public http::Stream {
 public:
  static constexpr std::size_t plenty = std::size_t{1} << 30;

  /// Data in one direction.
  struct Direction {
    explicit Direction(boost::asio::any_io_executor executor) : changed(std::move(executor)) {}
    std::string bytes;
    bool ended = false;
    std::size_t capacity = plenty;  ///< Buffer size.
    std::size_t piece = plenty;     ///< Maximum size of one read or write.
    AsyncEvent changed;
  };

  MemoryStream(std::shared_ptr<Direction> in, std::shared_ptr<Direction> out)
      : in_(std::move(in)), out_(std::move(out)) {}
  ~MemoryStream() override { close(); }

  Direction& in() { return *in_; }
  Direction& out() { return *out_; }

  Result<std::optional<std::size_t>> read_now(std::span<char> buffer) override {
    if (closed_) return fail(ErrorKind::closed, "the stream was closed");
    const auto size = std::min({buffer.size(), in_->bytes.size(), in_->piece});
    if (size == 0 && !in_->ended) return std::nullopt;
    std::copy_n(in_->bytes.begin(), size, buffer.begin());
    in_->bytes.erase(0, size);
    in_->changed.notify();
    return size;
  }

  Result<std::optional<std::size_t>> write_now(std::span<const std::string_view> pieces) override {
    if (closed_ || out_->ended) return fail(ErrorKind::closed, "the peer does not read any more");
    std::size_t written = 0;
    for (auto piece : pieces) {
      const auto size = std::min({piece.size(), capacity(), out_->piece - written});
      out_->bytes += piece.substr(0, size);
      written += size;
    }
    if (written == 0) return std::nullopt;
    out_->changed.notify();
    return written;
  }

  Task<Result<void>> readable() override {
    while (!closed_ && in_->bytes.empty() && !in_->ended) co_await in_->changed.wait();
    co_return state();
  }
  Task<Result<void>> writable() override {
    while (!closed_ && !out_->ended && capacity() == 0) co_await out_->changed.wait();
    co_return state();
  }

  void close() noexcept override {
    if (std::exchange(closed_, true)) return;
    for (const auto& direction : {in_, out_}) {
      direction->ended = true;
      direction->changed.notify();
    }
  }

  bool secure() const override { return false; }

 private:
  std::size_t capacity() const { return out_->capacity - std::min(out_->capacity, out_->bytes.size()); }
  Result<void> state() const {
    if (closed_) return fail(ErrorKind::closed, "the stream was closed");
    return {};
  }

  std::shared_ptr<Direction> in_, out_;
  bool closed_ = false;
};

struct MemoryStreams {
  explicit MemoryStreams(const EventLoop& loop) {
    const auto one = std::make_shared<MemoryStream::Direction>(loop.executor);
    const auto other = std::make_shared<MemoryStream::Direction>(loop.executor);
    near = std::make_unique<MemoryStream>(one, other);
    far = std::make_unique<MemoryStream>(other, one);
  }
  std::unique_ptr<MemoryStream> near, far;
};

}  // namespace fairlead::test
