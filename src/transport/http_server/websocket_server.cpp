#include <fairlead/transport/websocket_server.hpp>

#include <stop_token>
#include <utility>

#include "transport/http_server/luggage.hpp"
#include "transport/http_server/websocket_transport.hpp"

namespace fairlead::transport {
namespace {

constexpr std::string_view json_rpc = "mcp";

/// How a conversation ended, in the words of a close frame.
struct Goodbye {
  std::uint16_t code = http::close_code::normal;
  std::string reason = {};
};

// What went wrong is ours to know; the client learns only that something did.
Goodbye goodbye_after(WebSocketTransport::End end) {
  switch (end) {
    case WebSocketTransport::End::by_peer: return {};
    case WebSocketTransport::End::by_us: return {.code = http::close_code::going_away, .reason = "the server ends"};
    case WebSocketTransport::End::failed: break;
  }
  return {.code = http::close_code::internal_error, .reason = "internal error"};
}

}  // namespace

WebSocketServer::WebSocketServer(Host& host, http::WebSocketOptions options)
    : host_(host), options_(std::move(options)) {
  options_.subprotocols = {std::string(json_rpc)};
}

Task<void> WebSocketServer::serve(http::Exchange& exchange) {
  auto upgraded = co_await exchange.upgrade(options_);
  if (!upgraded) co_return;
  const auto socket = std::move(*upgraded);
  WebSocketTransport transport(exchange.loop(), *socket, socket->subprotocol() != json_rpc);
  const auto& request = exchange.request();
  Guest guest{.principal = request.principal, .name = "ws", .luggage = luggage_of(request, host_)};
  const auto hosted = host_.open(exchange.loop(), transport, std::move(guest));
  const std::stop_callback ends(exchange.gone(), [&transport] { transport.finish(); });
  co_await converse(*hosted, transport.run(*hosted));
  auto goodbye = goodbye_after(transport.end());
  co_await socket->close(goodbye.code, std::move(goodbye.reason));
}

}  // namespace fairlead::transport
