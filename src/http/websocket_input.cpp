#include <array>
#include <fairlead/base/with_deadline.hpp>
#include <utility>

#include "http/websocket_connection.hpp"

namespace fairlead::http {
namespace {

std::string describe(const CloseReason& reason) {
  auto text = "the peer closed the WebSocket with code " + std::to_string(reason.code);
  if (!reason.text.empty()) text += ": " + reason.text;
  return text;
}

}  // namespace

Task<Result<std::string>> WebSocketConnection::receive() {
  if (receiving_) co_return fail(ErrorKind::invalid, "somebody receives on this WebSocket already");
  const Turn turn(*this, receiving_);
  co_return co_await read_message();
}

Task<Result<std::string>> WebSocketConnection::read_message() {
  while (!ended_) {
    auto input = read_some();
    if (!input && input.error().kind == ErrorKind::malformed) co_return co_await part(std::move(input.error()));
    if (!input) {
      end(std::move(input.error()));
    } else if (*input) {
      if ((*input)->kind == Opcode::close) co_return co_await answer_goodbye((*input)->payload);
      if (auto message = take(std::move(**input))) co_return std::move(*message);
    } else if (auto ready = co_await stream_.readable(); !ready) {
      if (ready.error().kind == ErrorKind::cancelled) co_return std::unexpected(std::move(ready.error()));
      end(std::move(ready.error()));
    }
  }
  co_return std::unexpected(*ended_);
}

// The buffer is on the stack of a plain function, so that a connection that waits has none.
Result<std::optional<WebSocketInput>> WebSocketConnection::read_some() {
  if (auto input = read_leftover(); !input || *input) return input;
  // What did not fill the buffer was all there was: who waits for more is told if some has come since.
  if (std::exchange(drained_, false)) return std::nullopt;
  std::array<char, std::size_t{32} * 1024> buffer;
  while (true) {
    auto size = stream_.read_now(buffer);
    if (!size) return std::unexpected(std::move(size.error()));
    if (!*size) return std::nullopt;
    if (**size == 0) return fail(ErrorKind::closed, "the peer hung up without closing the WebSocket");
    heard_ = true;
    pinged_ = false;
    drained_ = **size < buffer.size();
    std::string_view bytes(buffer.data(), **size);
    auto input = reader_.read(bytes);
    in_ = bytes;
    if (!input || *input) return input;
  }
}

Result<std::optional<WebSocketInput>> WebSocketConnection::read_leftover() {
  if (in_.empty()) return std::nullopt;
  auto rest = std::string_view(in_).substr(seen_);
  auto input = reader_.read(rest);
  seen_ = in_.size() - rest.size();
  if (rest.empty()) {
    in_ = {};
    seen_ = 0;
  }
  return input;
}

std::optional<Result<std::string>> WebSocketConnection::take(WebSocketInput input) {
  if (input.kind == Opcode::text) return std::move(input.payload);
  if (input.kind == Opcode::ping && !goodbye_said_) {
    pong_ = std::move(input.payload);
    if (!pushing_) push_now();
  }
  return std::nullopt;
}

Task<Result<std::string>> WebSocketConnection::answer_goodbye(std::string payload) {
  auto reason = read_close(payload);
  if (!reason) co_return co_await part(std::move(reason.error()));
  say_goodbye(*reason);
  Error why{.kind = ErrorKind::closed, .message = describe(*reason), .code = reason->code};
  co_return co_await part(std::move(why));
}

// Says why, if that has not been said, and ends.
Task<Result<std::string>> WebSocketConnection::part(Error why) {
  const CloseReason reason{.code = static_cast<std::uint16_t>(why.code), .text = why.message};
  say_goodbye(reason);
  const auto deadline = Deadline::in(options_.close_wait, loop_.timers.clock());
  co_await with_deadline(loop_.timers, deadline, flush());
  discard_input();
  auto told = why;
  end(std::move(told));
  co_return std::unexpected(std::move(why));
}

// A socket that is closed with bytes unread may take back what it has sent, our last word included.
void WebSocketConnection::discard_input() {
  std::array<char, std::size_t{32} * 1024> buffer;
  for (int reads = 0; reads < 32; ++reads) {
    const auto size = stream_.read_now(buffer);
    if (!size || size->value_or(0) == 0) return;
  }
}

}  // namespace fairlead::http
