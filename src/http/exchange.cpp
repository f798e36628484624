#include "http/exchange.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "http/chunked.hpp"
#include "http/error_response.hpp"
#include "http/traffic_log.hpp"
#include "http/upgrade.hpp"
#include "http/vectored_write.hpp"
#include "http/websocket_connection.hpp"

namespace fairlead::http {

Result<void> ServerExchange::may(ExchangeState expected) const {
  if (state_ == ExchangeState::broken)
    return fail(ErrorKind::closed, "the client has disconnected, or an earlier write was cancelled");
  if (state_ != expected) return fail(ErrorKind::invalid, "call respond() once, or begin(), write() and end()");
  return {};
}

std::string ServerExchange::head_text(const Response& response, BodyKind body, bool keep_alive) {
  auto& listener = connection_.listener();
  std::string text;
  append_head(text, response, connection_.response_framing(body, keep_alive), listener.policy().cors, listener.date());
  wire::sent(listener.loop().log, wire::server, text, response.body);
  return text;
}

Task<Result<void>> ServerExchange::respond(Response response) {
  if (auto allowed = may(ExchangeState::open); !allowed) return allowed;
  OutputData bytes;
  connection_.append_whole(bytes.head, response, connection_.keeps_alive());
  bytes.body = std::move(response.body);
  return send(std::move(bytes), ExchangeState::complete);
}

Task<Result<void>> ServerExchange::begin(Response head) {
  if (auto allowed = may(ExchangeState::open); !allowed) return allowed;
  const bool http11 = connection_.reader().is_http11();
  body_ = http11 ? BodyKind::chunked : BodyKind::until_close;
  OutputData bytes{.head = head_text(head, body_, http11 && connection_.keeps_alive())};
  if (is_head()) body_ = BodyKind::none;
  if (!head.body.empty() && body_ != BodyKind::none) {
    if (body_ == BodyKind::chunked) {
      append_chunk_size(bytes.head, head.body.size());
      bytes.tail = "\r\n";
    }
    bytes.body = std::move(head.body);
  }
  return send(std::move(bytes), ExchangeState::streaming);
}

Task<Result<void>> ServerExchange::write(std::string_view piece) {
  if (auto allowed = may(ExchangeState::streaming); !allowed) return allowed;
  // An empty chunk would end the body.
  if (piece.empty() || body_ == BodyKind::none) return Result<void>();
  wire::sent_body(connection_.listener().loop().log, wire::server, piece);
  OutputData bytes{.borrowed = piece};
  if (body_ == BodyKind::chunked) {
    append_chunk_size(bytes.head, piece.size());
    bytes.tail = "\r\n";
  }
  return send(std::move(bytes), ExchangeState::streaming);
}

Task<Result<void>> ServerExchange::end() {
  if (auto allowed = may(ExchangeState::streaming); !allowed) return allowed;
  OutputData bytes;
  if (body_ == BodyKind::chunked) bytes.tail = "0\r\n\r\n";
  return send(std::move(bytes), ExchangeState::complete);
}

Task<Result<void>> ServerExchange::send(OutputData bytes, ExchangeState then) {
  // Broken until all is sent: a cancelled write leaves a partial response.
  state_ = ExchangeState::broken;
  auto sent = write_some(bytes);
  if (!sent) return std::unexpected(std::move(sent.error()));
  if (!*sent) return send_rest(std::move(bytes), then);
  reach(then);
  return Result<void>();
}

Task<Result<void>> ServerExchange::send_rest(OutputData bytes, ExchangeState then) {
  Result<bool> sent = false;
  while (sent && !*sent) {
    connection_.set_stalled(true);
    const auto ready = co_await connection_.stream().writable();
    connection_.set_stalled(false);
    if (!ready) co_return std::unexpected(ready.error());
    sent = write_some(bytes);
  }
  if (!sent) co_return std::unexpected(std::move(sent.error()));
  reach(then);
  co_return Result<void>();
}

Result<bool> ServerExchange::write_some(OutputData& bytes) {
  std::array<std::string_view, 4> pieces{bytes.head, bytes.body, bytes.borrowed, bytes.tail};
  auto skipped = bytes.sent;
  std::size_t before = 0, after = 0;
  for (auto& piece : pieces) {
    const auto size = std::min(skipped, piece.size());
    piece.remove_prefix(size);
    skipped -= size;
    before += piece.size();
  }
  auto sent = write_vectored(connection_.stream(), pieces);
  for (const auto piece : pieces) after += piece.size();
  bytes.sent += before - after;
  return sent;
}

void ServerExchange::reach(ExchangeState state) {
  state_ = state;
  if (endless() && connection_.listener().ending()) stop();
}

Task<Result<void>> ServerExchange::send_internal_error() {
  return respond(error_response(500, "Internal server error. See the log of the server."));
}

bool ServerExchange::endless() const {
  if (state_ == ExchangeState::upgraded) return true;
  return state_ == ExchangeState::streaming && connection_.reader().request().method == "GET";
}

Task<Result<std::unique_ptr<WebSocket>>> ServerExchange::upgrade(WebSocketOptions options) {
  auto allowed = may(ExchangeState::open);
  if (!allowed) co_return std::unexpected(std::move(allowed.error()));
  auto handshake = answer_upgrade(request(), options.subprotocols, connection_.reader().is_http11());
  if (handshake.response.status != 101) {
    const auto why = handshake.response.body;
    co_await respond(std::move(handshake.response));
    co_return fail(ErrorKind::malformed, why);
  }
  OutputData bytes{.head = head_text(handshake.response, BodyKind::none, true)};
  auto sent = co_await send(std::move(bytes), ExchangeState::upgraded);
  if (!sent) co_return std::unexpected(std::move(sent.error()));
  auto leftover = connection_.detach_reader();
  co_return make_websocket(loop(), connection_.stream(), std::move(leftover), false, std::move(handshake.subprotocol),
                           std::move(options));
}

}  // namespace fairlead::http
