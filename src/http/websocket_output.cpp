#include <array>
#include <openssl/rand.h>
#include <stdexcept>
#include <utility>

#include "http/websocket_connection.hpp"
#include "http/wire_log.hpp"

namespace fairlead::http {
namespace {

constexpr std::size_t most_kept_output = 4096;
constexpr std::size_t most_unsent = std::size_t{64} * 1024;

}  // namespace

MaskKey MaskSource::next() {
  if (used_ == keys_.size()) {
    auto* bytes = reinterpret_cast<unsigned char*>(keys_.data());
    if (RAND_bytes(bytes, static_cast<int>(sizeof keys_)) != 1) throw std::runtime_error("no random bytes to be had");
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

// True once everything is gone, or can never go.
bool WebSocketConnection::push_now() {
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
    if (out_.capacity() > most_kept_output) out_ = {};
  }
  return true;
}

Task<Result<void>> WebSocketConnection::flush() {
  return push_until(gone_ + unsent());
}

Task<Result<void>> WebSocketConnection::push_until(std::uint64_t target) {
  while (!ended_ && gone_ < target) {
    if (pushing_) {
      co_await changed_.wait();
      continue;
    }
    if (push_now()) break;
    // Ends also when the coroutine is cancelled while it waits: then another sender takes over.
    const Turn turn(*this, pushing_);
    watch_stall();
    auto ready = co_await stream_.writable();
    if (!ready && ready.error().kind == ErrorKind::cancelled) co_return ready;
    if (!ready) end(std::move(ready.error()));
  }
  if (ended_ && gone_ < target) co_return std::unexpected(*ended_);
  co_return Result<void>();
}

bool WebSocketConnection::has_room() const {
  return !ended_ && !goodbye_said_ && !pushing_ && unsent() < most_unsent;
}

// What comes first is not kept waiting for much that follows.
void WebSocketConnection::put(std::string_view text) {
  append(Opcode::text, text);
  if (unsent() >= most_kept_output) flush_now();
}

Task<Result<void>> WebSocketConnection::send(std::string_view text) {
  if (ended_) co_return std::unexpected(*ended_);
  if (goodbye_said_) co_return fail(ErrorKind::closed, "the WebSocket is being closed");
  append(Opcode::text, text);
  co_return co_await flush();
}

Task<Result<void>> WebSocketConnection::send_all(std::vector<std::string> texts) {
  if (ended_) co_return std::unexpected(*ended_);
  if (goodbye_said_) co_return fail(ErrorKind::closed, "the WebSocket is being closed");
  for (const auto& text : texts) append(Opcode::text, text);
  co_return co_await flush();
}

}  // namespace fairlead::http
