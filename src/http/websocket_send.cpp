#include <array>
#include <stdexcept>
#include <utility>

#include "crypto/random.hpp"
#include "http/traffic_log.hpp"
#include "http/websocket_connection.hpp"

namespace fairlead::http {
namespace {

constexpr std::size_t max_kept_output = 4096;
constexpr std::size_t max_unsent = std::size_t{64} * 1024;

}  // namespace

MaskKey MaskingKeys::next() {
  if (used_ == keys_.size()) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(keys_.data());
    if (!crypto::fill_random({bytes, sizeof keys_})) throw std::runtime_error("no random bytes available");
    used_ = 0;
  }
  return keys_[used_++];
}

void WebSocketConnection::append(Opcode opcode, std::string_view payload) {
  if (opcode == Opcode::text) wire::sent_body(loop_.log, wire::socket, payload);
  std::optional<MaskKey> mask;
  if (is_client_) mask = masks_.next();
  write_frame(out_, opcode, payload, mask);
}

// True once everything was written, or the connection is broken.
bool WebSocketConnection::write_now() {
  while (!ended_ && has_output()) {
    if (sent_ == out_.size()) append(Opcode::pong, *std::exchange(pong_, std::nullopt));
    const std::array<std::string_view, 1> rest{std::string_view(out_).substr(sent_)};
    auto written = stream_.write_now(rest);
    if (!written) {
      end(std::move(written.error()));
      break;
    }
    if (!*written) return false;
    sent_ += **written;
    gone_ += **written;
    if (sent_ < out_.size()) continue;
    sent_ = 0;
    out_.clear();
    if (out_.capacity() > max_kept_output) out_ = {};
  }
  return true;
}

Task<Result<void>> WebSocketConnection::flush() {
  const auto target = gone_ + unsent();
  if (!ended_ && !flush_now()) return write_until(target);
  return written(target);
}

Result<void> WebSocketConnection::written(std::uint64_t target) const {
  if (ended_ && gone_ < target) return std::unexpected(*ended_);
  return {};
}

Task<Result<void>> WebSocketConnection::write_until(std::uint64_t target) {
  while (!ended_ && gone_ < target) {
    if (writing_) {
      co_await changed_.wait();
      continue;
    }
    if (write_now()) break;
    // Also returns if the coroutine is cancelled; then another sender continues.
    const auto turn = scoped_turn(writing_);
    watch_stall();
    auto ready = co_await stream_.writable();
    if (!ready && ready.error().kind == ErrorKind::cancelled) co_return ready;
    if (!ready) end(std::move(ready.error()));
  }
  co_return written(target);
}

bool WebSocketConnection::has_room() const {
  return !ended_ && !close_sent_ && !writing_ && unsent() < max_unsent;
}

// Written in parts, so that the first message is not delayed.
void WebSocketConnection::queue(std::string_view text) {
  append(Opcode::text, text);
  if (unsent() >= max_kept_output) flush_now();
}

Task<Result<void>> WebSocketConnection::send(std::string_view text) {
  if (ended_) return std::unexpected(*ended_);
  if (close_sent_) return fail(ErrorKind::closed, "the WebSocket is being closed");
  append(Opcode::text, text);
  return flush();
}

Task<Result<void>> WebSocketConnection::send_all(std::vector<std::string> texts) {
  if (ended_) return std::unexpected(*ended_);
  if (close_sent_) return fail(ErrorKind::closed, "the WebSocket is being closed");
  for (const auto& text : texts) append(Opcode::text, text);
  return flush();
}

}  // namespace fairlead::http
