#include "http/exchange.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "http/chunked.hpp"
#include "http/refusal.hpp"
#include "http/upgrade.hpp"
#include "http/websocket_connection.hpp"
#include "http/wire_log.hpp"
#include "http/write_pieces.hpp"

namespace fairlead::http {

namespace {

Task<Result<void>> done() {
  co_return Result<void>();
}

Task<Result<void>> failed(Error why) {
  co_return std::unexpected(std::move(why));
}

}  // namespace

Result<void> ServerExchange::may(State expected) const {
  if (state_ == State::broken) return fail(ErrorKind::closed, "the client has gone, or a write before was not awaited");
  if (state_ != expected)
    return fail(ErrorKind::invalid, "an answer is begun once, written to until its end, or whole");
  return {};
}

std::string ServerExchange::head_text(const Response& response, BodyKind body, bool keep_alive) {
  auto& listener = connection_.listener();
  std::string text;
  append_head(text, response, connection_.delivery(body, keep_alive), listener.rules().cors, listener.date());
  wire::sent(listener.loop().log, wire::server, text, response.body);
  return text;
}

Task<Result<void>> ServerExchange::respond(Response response) {
  if (auto allowed = may(State::open); !allowed) return failed(std::move(allowed.error()));
  Outgoing bytes;
  connection_.append_whole(bytes.head, response, connection_.stays());
  bytes.body = std::move(response.body);
  return send(std::move(bytes), State::complete);
}

Task<Result<void>> ServerExchange::begin(Response head) {
  if (auto allowed = may(State::open); !allowed) return failed(std::move(allowed.error()));
  const bool modern = connection_.reader().modern();
  body_ = modern ? BodyKind::chunked : BodyKind::until_close;
  Outgoing bytes{.head = head_text(head, body_, modern && connection_.stays())};
  if (is_head()) body_ = BodyKind::none;
  if (!head.body.empty() && body_ != BodyKind::none) {
    if (body_ == BodyKind::chunked) {
      append_chunk_size(bytes.head, head.body.size());
      bytes.tail = "\r\n";
    }
    bytes.body = std::move(head.body);
  }
  return send(std::move(bytes), State::streaming);
}

Task<Result<void>> ServerExchange::write(std::string_view piece) {
  if (auto allowed = may(State::streaming); !allowed) return failed(std::move(allowed.error()));
  // An empty chunk would be the end of the body.
  if (piece.empty() || body_ == BodyKind::none) return done();
  wire::sent_body(connection_.listener().loop().log, wire::server, piece);
  Outgoing bytes{.borrowed = piece};
  if (body_ == BodyKind::chunked) {
    append_chunk_size(bytes.head, piece.size());
    bytes.tail = "\r\n";
  }
  return send(std::move(bytes), State::streaming);
}

Task<Result<void>> ServerExchange::end() {
  if (auto allowed = may(State::streaming); !allowed) return failed(std::move(allowed.error()));
  Outgoing bytes;
  if (body_ == BodyKind::chunked) bytes.tail = "0\r\n\r\n";
  return send(std::move(bytes), State::complete);
}

Task<Result<void>> ServerExchange::send(Outgoing bytes, State then) {
  // Until all of it is sent: who gives up half-way has broken the answer.
  state_ = State::broken;
  auto sent = send_now(bytes);
  if (!sent) return failed(std::move(sent.error()));
  if (!*sent) return send_rest(std::move(bytes), then);
  reach(then);
  return done();
}

Task<Result<void>> ServerExchange::send_rest(Outgoing bytes, State then) {
  Result<bool> sent = false;
  while (sent && !*sent) {
    connection_.set_stalled(true);
    const auto ready = co_await connection_.stream().writable();
    connection_.set_stalled(false);
    if (!ready) co_return std::unexpected(ready.error());
    sent = send_now(bytes);
  }
  if (!sent) co_return std::unexpected(std::move(sent.error()));
  reach(then);
  co_return Result<void>();
}

Result<bool> ServerExchange::send_now(Outgoing& bytes) {
  std::array<std::string_view, 4> pieces{bytes.head, bytes.body, bytes.borrowed, bytes.tail};
  auto skipped = bytes.sent;
  std::size_t before = 0, after = 0;
  for (auto& piece : pieces) {
    const auto size = std::min(skipped, piece.size());
    piece.remove_prefix(size);
    skipped -= size;
    before += piece.size();
  }
  auto sent = write_pieces(connection_.stream(), pieces);
  for (const auto piece : pieces) after += piece.size();
  bytes.sent += before - after;
  return sent;
}

void ServerExchange::reach(State state) {
  state_ = state;
  if (endless() && connection_.listener().ending()) leave();
}

Task<void> ServerExchange::apologise() {
  auto response = refusal(500, "The server failed. Its log says why.");
  co_await respond(std::move(response));
}

bool ServerExchange::endless() const {
  if (state_ == State::upgraded) return true;
  return state_ == State::streaming && connection_.reader().request().method == "GET";
}

Task<Result<std::unique_ptr<WebSocket>>> ServerExchange::upgrade(WebSocketOptions options) {
  auto allowed = may(State::open);
  if (!allowed) co_return std::unexpected(std::move(allowed.error()));
  auto shake = answer_upgrade(request(), options.subprotocols, connection_.reader().modern());
  if (shake.response.status != 101) {
    const auto why = shake.response.body;
    co_await respond(std::move(shake.response));
    co_return fail(ErrorKind::malformed, why);
  }
  Outgoing bytes{.head = head_text(shake.response, BodyKind::none, true)};
  auto sent = co_await send(std::move(bytes), State::upgraded);
  if (!sent) co_return std::unexpected(std::move(sent.error()));
  auto leftover = connection_.give_up_reading();
  co_return make_websocket(loop(), connection_.stream(), std::move(leftover), false, std::move(shake.subprotocol),
                           std::move(options));
}

}  // namespace fairlead::http
