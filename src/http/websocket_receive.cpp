#include <array>
#include <fairlead/base/with_deadline.hpp>
#include <utility>

#include "base/read_budget.hpp"
#include "http/traffic_log.hpp"
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
  if (receiving_) co_return fail(ErrorKind::invalid, "a receive is already pending on this WebSocket");
  const auto turn = scoped_turn(receiving_);
  auto text = receive_now();
  while (!text && !pending_close_ && !ended_) {
    // Yields to the loop between reads, so that other connections are served.
    auto ready = co_await stream_.readable();
    if (ready) {
      text = read_some();
    } else if (ready.error().kind == ErrorKind::cancelled) {
      co_return std::unexpected(std::move(ready.error()));
    } else {
      end(std::move(ready.error()));
    }
  }
  if (text) co_return std::move(*text);
  if (pending_close_ && !ended_) co_return std::unexpected(co_await finish_close());
  co_return std::unexpected(*ended_);
}

std::optional<std::string> WebSocketConnection::receive_now() {
  if (in_.empty()) return std::nullopt;
  auto rest = std::string_view(in_).substr(seen_);
  auto text = child_of(rest);
  seen_ = in_.size() - rest.size();
  if (rest.empty()) {
    in_ = {};
    seen_ = 0;
  }
  return text;
}

// The buffer is on the stack of a plain function, so that a waiting connection has none.
std::optional<std::string> WebSocketConnection::read_some() {
  std::array<char, std::size_t{32} * 1024> buffer;
  ReadBudget budget;
  while (!ended_ && !pending_close_ && !budget.is_spent()) {
    auto size = stream_.read_now(buffer);
    if (!size) {
      end(std::move(size.error()));
    } else if (!*size) {
      break;
    } else if (**size == 0) {
      end({.kind = ErrorKind::closed, .message = "the peer closed the connection without a WebSocket close frame"});
    } else {
      budget.spend(**size);
      received_since_check_ = true;
      pinged_ = false;
      std::string_view bytes(buffer.data(), **size);
      auto text = child_of(bytes);
      in_ = bytes;
      // A read that did not fill the buffer has emptied the socket; waiting reports data that arrived since.
      if (text || **size < buffer.size()) return text;
    }
  }
  return std::nullopt;
}

// Consumes bytes up to the next message and handles control frames.
std::optional<std::string> WebSocketConnection::child_of(std::string_view& bytes) {
  while (!ended_ && !pending_close_) {
    auto input = reader_.read(bytes);
    if (!input) {
      begin_close(std::move(input.error()));
    } else if (!*input) {
      break;
    } else if (auto text = on_event(std::move(**input))) {
      return text;
    }
  }
  return std::nullopt;
}

std::optional<std::string> WebSocketConnection::on_event(WebSocketEvent input) {
  if (input.kind == Opcode::text) {
    wire::received_body(loop_.log, wire::socket, input.payload);
    return std::move(input.payload);
  }
  if (input.kind == Opcode::close) on_close_frame(input.payload);
  if (input.kind == Opcode::ping && !close_sent_) {
    pong_ = std::move(input.payload);
    flush_now();
  }
  return std::nullopt;
}

void WebSocketConnection::on_close_frame(std::string_view payload) {
  auto reason = read_close(payload);
  if (!reason) return begin_close(std::move(reason.error()));
  Error why{.kind = ErrorKind::closed, .message = describe(*reason), .code = reason->code};
  pending_close_ = PendingClose{.why = std::move(why), .close_reason = std::move(*reason)};
}

// Closes because of a protocol violation, which is reported to the peer.
void WebSocketConnection::begin_close(Error why) {
  CloseReason reason{.code = static_cast<std::uint16_t>(why.code), .text = why.message};
  pending_close_ = PendingClose{.why = std::move(why), .close_reason = std::move(reason)};
}

// Sends the close frame if it was not sent, and ends.
Task<Error> WebSocketConnection::finish_close() {
  send_close(pending_close_->close_reason);
  const auto deadline = Deadline::in(options_.close_timeout, loop_.timers.clock());
  co_await with_deadline(loop_.timers, deadline, flush());
  discard_input();
  end(pending_close_->why);
  co_return std::move(pending_close_->why);
}

// Closing a socket with unread input may reset the connection and lose the close frame.
void WebSocketConnection::discard_input() {
  std::array<char, std::size_t{32} * 1024> buffer;
  for (int reads = 0; reads < 32; ++reads) {
    const auto size = stream_.read_now(buffer);
    if (!size || size->value_or(0) == 0) return;
  }
}

}  // namespace fairlead::http
