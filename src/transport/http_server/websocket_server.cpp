#include <fairlead/transport/websocket_server.hpp>

#include <stop_token>
#include <utility>

#include "transport/http_server/caller.hpp"
#include "transport/http_server/forwarded_headers.hpp"
#include "transport/http_server/websocket_transport.hpp"

namespace fairlead::transport {
namespace {

constexpr std::string_view json_rpc = "mcp";

/// Close code and reason for the end of a session.
struct SessionCloseReason {
  std::uint16_t code = http::close_code::normal;
  std::string reason = {};
};

// Details of internal errors are not sent to the client.
SessionCloseReason close_reason_for(WebSocketTransport::End end) {
  switch (end) {
    case WebSocketTransport::End::by_peer: return {};
    case WebSocketTransport::End::by_us: return {.code = http::close_code::going_away, .reason = "server shutdown"};
    case WebSocketTransport::End::expired: return {.code = http::close_code::policy, .reason = "token expired"};
    case WebSocketTransport::End::failed: break;
  }
  return {.code = http::close_code::internal_error, .reason = "internal error"};
}

}  // namespace

WebSocketServer::WebSocketServer(SessionFactory& factory, http::WebSocketOptions options)
    : factory_(factory), options_(std::move(options)) {
  options_.subprotocols = {std::string(json_rpc)};
}

Task<http::Response> WebSocketServer::handle(http::Request&) {
  return http::streamed([this](http::Exchange& exchange) { return serve(exchange); });
}

Task<void> WebSocketServer::serve(http::Exchange& exchange) {
  auto upgraded = co_await exchange.upgrade(options_);
  if (!upgraded) co_return;
  const auto socket = std::move(*upgraded);
  const auto& request = exchange.request();
  WebSocketTransport transport(exchange.loop(), *socket, socket->subprotocol() != json_rpc, OperationFilter(request));
  auto peer = peer_info(request, "ws");
  peer.request_headers = forwarded_headers(request, factory_);
  const ExpiryTimer expiry(exchange.loop(), stream_lifetime(request),
                           [&transport] { transport.finish(WebSocketTransport::End::expired); });
  const auto session = factory_.open(exchange.loop(), transport, std::move(peer));
  const std::stop_callback ends(exchange.stop_token(), [&transport] { transport.finish(); });
  co_await run_session(*session, transport.run(*session));
  auto close_reason = close_reason_for(transport.end());
  co_await socket->close(close_reason.code, std::move(close_reason.reason));
}

}  // namespace fairlead::transport
