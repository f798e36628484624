#include "http/websocket_handshake.hpp"

#include <algorithm>
#include <fairlead/base/base64.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "crypto/digest.hpp"
#include "crypto/random.hpp"
#include "http/client_state.hpp"
#include "http/field_list.hpp"
#include "http/sign_in.hpp"
#include "http/traffic_log.hpp"
#include "http/websocket_connection.hpp"

namespace fairlead::http {
namespace {

bool header_has(const ClientResponse& response, std::string_view name, std::string_view member) {
  return list_has(response.header(name).value_or(""), member);
}

std::vector<Header> handshake_headers(std::string key, const std::vector<std::string>& subprotocols) {
  std::vector<Header> headers{{"Upgrade", "websocket"},
                              {"Connection", "Upgrade"},
                              {"Sec-WebSocket-Version", "13"},
                              {"Sec-WebSocket-Key", std::move(key)}};
  if (!subprotocols.empty()) {
    headers.push_back({"Sec-WebSocket-Protocol", fmt::format("{}", fmt::join(subprotocols, ", "))});
  }
  return headers;
}

void report_refusal(ClientConnection& connection, const WebSocketOptions& options) {
  if (!options.on_refusal || connection.response().status == 101) return;
  auto head = connection.response();
  head.from_private_address = connection.is_private();
  options.on_refusal(head);
}

}  // namespace

std::string websocket_accept(std::string_view key) {
  return base64_encode(crypto::sha1(std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
}

std::string websocket_key() {
  return base64_encode(crypto::random_bytes(16));
}

Result<std::string> check_websocket_answer(const ClientResponse& response, std::string_view key,
                                           const std::vector<std::string>& offered) {
  if (response.status != 101) {
    const auto advice =
        wants_sign_in(response) ? sign_in_advice() : std::string("; check the path and your credentials");
    return std::unexpected(Error{
        .kind = ErrorKind::refused,
        .message = fmt::format("the server answered {} instead of opening a WebSocket{}", response.status, advice),
        .code = response.status});
  }
  if (!header_has(response, "Upgrade", "websocket") || !header_has(response, "Connection", "upgrade") ||
      response.header("Sec-WebSocket-Accept") != websocket_accept(key)) {
    return fail(ErrorKind::malformed, "the server's response is not a valid WebSocket handshake");
  }
  if (response.header("Sec-WebSocket-Extensions")) {
    return fail(ErrorKind::malformed, "the server uses a WebSocket extension that was not requested");
  }
  const auto chosen = response.header("Sec-WebSocket-Protocol");
  if (!chosen) return std::string();
  if (std::ranges::find(offered, *chosen) == offered.end()) {
    return fail(ErrorKind::malformed, "the server chose a WebSocket subprotocol that was not offered");
  }
  return std::string(*chosen);
}

Task<Result<std::unique_ptr<WebSocket>>> ClientState::websocket(std::shared_ptr<ClientState> self,
                                                                ClientRequest request, WebSocketOptions options) {
  const auto deadline = request.deadline;
  auto& timers = self->loop.timers;
  auto work = do_handshake(std::move(self), std::move(request), std::move(options));
  co_return co_await with_deadline(timers, deadline, std::move(work));
}

Task<Result<std::unique_ptr<WebSocket>>> ClientState::do_handshake(std::shared_ptr<ClientState> self,
                                                                   ClientRequest request, WebSocketOptions options) {
  auto url = parse_url(request.url);
  if (!url) co_return std::unexpected(std::move(url.error()));
  const auto key = websocket_key();
  auto added = handshake_headers(key, options.subprotocols);
  request.method = "GET";
  request.headers.insert(request.headers.end(), added.begin(), added.end());
  const auto head = self->write_head(*url, request);
  if (!head) co_return std::unexpected(head.error());
  auto connection = co_await self->dial(*url);
  if (!connection) co_return std::unexpected(std::move(connection.error()));
  wire::sent(self->loop.log, wire::client, *head, std::string_view());
  auto answer = co_await (*connection)->exchange(*head, std::string_view(), false);
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  const auto& response = (*connection)->response();
  wire::received(self->loop.log, response);
  auto subprotocol = check_websocket_answer(response, key, options.subprotocols);
  if (!subprotocol) {
    report_refusal(**connection, options);
    co_return std::unexpected(std::move(subprotocol.error()));
  }
  std::string leftover;
  auto stream = (*connection)->release(leftover);
  co_return make_websocket(self->loop, std::move(stream), std::move(leftover), true, std::move(*subprotocol),
                           std::move(options));
}

}  // namespace fairlead::http
