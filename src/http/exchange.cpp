#include "http/exchange.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "http/chunked.hpp"
#include "http/refusal.hpp"
#include "http/remaining.hpp"
#include "http/upgrade.hpp"
#include "http/websocket_connection.hpp"

namespace fairlead::http {

Result<void> ServerExchange::may(State expected) const {
  if (state_ == State::broken) return fail(ErrorKind::closed, "the client has gone");
  if (state_ != expected) return fail(ErrorKind::invalid, "an answer is begun once, written to until its end, or whole");
  if (sending_) return fail(ErrorKind::invalid, "one piece at a time: await the write before");
  return {};
}

std::string ServerExchange::head_text(const Response& response, BodyKind body, bool keep_alive) {
  auto& listener = connection_.listener();
  std::string text;
  append_head(text, response, connection_.delivery(body, keep_alive), listener.rules().cors, listener.date());
  return text;
}

Task<Result<void>> ServerExchange::respond(Response response) {
  auto allowed = may(State::open);
  if (!allowed) co_return allowed;
  const auto head = head_text(response, BodyKind::sized, connection_.stays());
  if (is_head() || !may_have_body(response.status)) response.body.clear();
  const Pieces pieces{head, response.body};
  co_return co_await send(pieces, State::complete);
}

Task<Result<void>> ServerExchange::begin(Response head) {
  auto allowed = may(State::open);
  if (!allowed) co_return allowed;
  const bool modern = connection_.reader().modern();
  body_ = modern ? BodyKind::chunked : BodyKind::until_close;
  auto text = head_text(head, body_, modern && connection_.stays());
  if (is_head()) body_ = BodyKind::none;
  Pieces pieces{};
  if (!head.body.empty() && body_ != BodyKind::none) {
    if (body_ == BodyKind::chunked) append_chunk_size(text, head.body.size());
    pieces[1] = head.body;
    if (body_ == BodyKind::chunked) pieces[2] = "\r\n";
  }
  pieces[0] = text;
  auto sent = co_await send(pieces, State::streaming);
  if (endless() && connection_.listener().ending()) leave();
  co_return sent;
}

Task<Result<void>> ServerExchange::write(std::string_view piece) {
  auto allowed = may(State::streaming);
  // An empty chunk would be the end of the body.
  if (!allowed || piece.empty() || body_ == BodyKind::none) co_return allowed;
  std::array<char, 20> size;
  auto* end = std::to_chars(size.begin(), size.end() - 2, piece.size(), 16).ptr;
  *end++ = '\r';
  *end++ = '\n';
  Pieces pieces{std::string_view(), piece};
  if (body_ == BodyKind::chunked) pieces = {std::string_view(size.begin(), end), piece, "\r\n"};
  co_return co_await send(pieces, State::streaming);
}

Task<Result<void>> ServerExchange::end() {
  auto allowed = may(State::streaming);
  if (!allowed) co_return allowed;
  Pieces pieces{};
  if (body_ == BodyKind::chunked) pieces[0] = "0\r\n\r\n";
  co_return co_await send(pieces, State::complete);
}

Task<Result<void>> ServerExchange::send(Pieces pieces, State then) {
  // Only once the whole is sent is it what the state says; until then a cancelled write has broken the answer.
  state_ = State::broken;
  sending_ = true;
  auto& stream = connection_.stream();
  auto sent = write_pieces(stream, pieces);
  while (sent && !*sent) {
    connection_.set_stalled(true);
    const auto ready = co_await stream.writable();
    connection_.set_stalled(false);
    if (!ready) {
      sent = std::unexpected(ready.error());
    } else {
      sent = write_pieces(stream, pieces);
    }
  }
  sending_ = false;
  if (!sent) co_return std::unexpected(std::move(sent.error()));
  state_ = then;
  co_return Result<void>();
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
  const auto head = head_text(shake.response, BodyKind::none, true);
  const Pieces pieces{head};
  auto sent = co_await send(pieces, State::upgraded);
  if (!sent) co_return std::unexpected(std::move(sent.error()));
  auto leftover = connection_.give_up_reading();
  co_return make_websocket(loop(), connection_.stream(), std::move(leftover), false, std::move(shake.subprotocol),
                           std::move(options));
}

}  // namespace fairlead::http
