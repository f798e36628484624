#include <array>
#include <fairlead/base/with_deadline.hpp>
#include <utility>

#include "base/read_budget.hpp"
#include "http/websocket_connection.hpp"
#include "http/wire_log.hpp"

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
  auto text = receive_now();
  while (!text && !parting_ && !ended_) {
    // Between one read and the next others have their turn, however much there is.
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
  if (parting_ && !ended_) co_return std::unexpected(co_await part());
  co_return std::unexpected(*ended_);
}

std::optional<std::string> WebSocketConnection::receive_now() {
  if (in_.empty()) return std::nullopt;
  auto rest = std::string_view(in_).substr(seen_);
  auto text = next_in(rest);
  seen_ = in_.size() - rest.size();
  if (rest.empty()) {
    in_ = {};
    seen_ = 0;
  }
  return text;
}

// The buffer is on the stack of a plain function, so that a connection that waits has none.
std::optional<std::string> WebSocketConnection::read_some() {
  std::array<char, std::size_t{32} * 1024> buffer;
  ReadBudget budget;
  while (!ended_ && !parting_ && !budget.is_spent()) {
    auto size = stream_.read_now(buffer);
    if (!size) {
      end(std::move(size.error()));
    } else if (!*size) {
      break;
    } else if (**size == 0) {
      end({.kind = ErrorKind::closed, .message = "the peer hung up without closing the WebSocket"});
    } else {
      budget.spend(**size);
      heard_ = true;
      pinged_ = false;
      std::string_view bytes(buffer.data(), **size);
      auto text = next_in(bytes);
      in_ = bytes;
      // What did not fill the buffer was all there was: who waits for more is told if some has come since.
      if (text || **size < buffer.size()) return text;
    }
  }
  return std::nullopt;
}

// Takes bytes off the front until there is a message; what else they say is dealt with.
std::optional<std::string> WebSocketConnection::next_in(std::string_view& bytes) {
  while (!ended_ && !parting_) {
    auto input = reader_.read(bytes);
    if (!input) {
      leave(std::move(input.error()));
    } else if (!*input) {
      break;
    } else if (auto text = take(std::move(**input))) {
      return text;
    }
  }
  return std::nullopt;
}

std::optional<std::string> WebSocketConnection::take(WebSocketInput input) {
  if (input.kind == Opcode::text) {
    wire::received_body(loop_.log, wire::socket, input.payload);
    return std::move(input.payload);
  }
  if (input.kind == Opcode::close) hear_goodbye(input.payload);
  if (input.kind == Opcode::ping && !goodbye_said_) {
    pong_ = std::move(input.payload);
    flush_now();
  }
  return std::nullopt;
}

void WebSocketConnection::hear_goodbye(std::string_view payload) {
  auto reason = read_close(payload);
  if (!reason) return leave(std::move(reason.error()));
  Error why{.kind = ErrorKind::closed, .message = describe(*reason), .code = reason->code};
  parting_ = Parting{.why = std::move(why), .last_word = std::move(*reason)};
}

// For what a peer did wrong, which is told to it.
void WebSocketConnection::leave(Error why) {
  CloseReason reason{.code = static_cast<std::uint16_t>(why.code), .text = why.message};
  parting_ = Parting{.why = std::move(why), .last_word = std::move(reason)};
}

// Says why, if that has not been said, and ends.
Task<Error> WebSocketConnection::part() {
  say_goodbye(parting_->last_word);
  const auto deadline = Deadline::in(options_.close_wait, loop_.timers.clock());
  co_await with_deadline(loop_.timers, deadline, flush());
  discard_input();
  end(parting_->why);
  co_return std::move(parting_->why);
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
