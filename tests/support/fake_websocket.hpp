#pragma once

#include <deque>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/http/websocket.hpp>
#include <string>
#include <vector>

#include "base/async_event.hpp"

namespace fairlead::test {

/// The client side of a `FakeWebSocket`.
struct FarSocket {
  explicit FarSocket(const EventLoop& loop) : bell(loop.executor) {}

  void deliver(std::string text) {
    incoming.push_back(std::move(text));
    bell.notify();
  }
  void disconnect() {
    gone = true;
    bell.notify();
  }

  AsyncEvent bell;
  std::deque<std::string> incoming;
  std::vector<std::string> received;
  std::vector<std::size_t> writes;  ///< Number of messages per write.
  bool stuck = false;               ///< The client does not read.
  std::uint16_t code = 0;           ///< Code of the close frame.
  bool gone = false;
  bool aborted = false;
};

/// A WebSocket without a connection. `far` outlives it.
class FakeWebSocket final : public http::WebSocket {
 public:
  explicit FakeWebSocket(FarSocket& far, std::string subprotocol = {})
      : far_(far), subprotocol_(std::move(subprotocol)) {}

  Task<Result<std::string>> receive() override {
    while (far_.incoming.empty() && !far_.gone && !far_.aborted) co_await far_.bell.wait();
    if (far_.incoming.empty()) co_return fail(ErrorKind::closed, "closed");
    co_return *receive_now();
  }
  std::optional<std::string> receive_now() override {
    if (far_.incoming.empty()) return std::nullopt;
    auto text = std::move(far_.incoming.front());
    far_.incoming.pop_front();
    return text;
  }
  Task<Result<void>> send(std::string_view text) override {
    if (far_.gone || far_.aborted) return fail(ErrorKind::closed, "closed");
    flush_now();
    far_.received.emplace_back(text);
    return Result<void>();
  }
  Task<Result<void>> send_all(std::vector<std::string> texts) override {
    for (auto& text : texts) far_.received.push_back(std::move(text));
    return Result<void>();
  }
  void queue(std::string_view text) override { waiting_.emplace_back(text); }
  bool has_room() const override { return !far_.gone && !far_.aborted && !far_.stuck; }
  bool flush_now() override {
    if (far_.stuck) return false;
    if (!waiting_.empty()) far_.writes.push_back(waiting_.size());
    for (auto& text : std::exchange(waiting_, {})) far_.received.push_back(std::move(text));
    return true;
  }
  Task<Result<void>> flush() override {
    while (!flush_now()) co_await far_.bell.wait();
    co_return Result<void>();
  }
  Task<void> close(std::uint16_t code, std::string) override {
    if (!far_.aborted) far_.code = code;
    co_return;
  }
  void abort() noexcept override {
    far_.aborted = true;
    far_.bell.notify();
  }
  std::string_view subprotocol() const override { return subprotocol_; }

 private:
  FarSocket& far_;
  std::string subprotocol_;
  std::vector<std::string> waiting_;
};

}  // namespace fairlead::test
