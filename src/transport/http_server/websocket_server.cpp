#include <fairlead/transport/websocket_server.hpp>

#include <exception>
#include <fairlead/base/log.hpp>
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

Task<Goodbye> converse(Hosted& hosted, const WebSocketTransport& transport, Loop loop) {
  std::string what;
  try {
    co_await hosted.run();
    if (transport.ended_by_peer()) co_return Goodbye{};
    co_return Goodbye{.code = http::close_code::going_away, .reason = "the server ends"};
  } catch (const std::exception& error) {
    what = error.what();
  }
  // What went wrong is ours to know; the client learns only that something did.
  log(loop.log, LogLevel::error, "ws", [&] { return "a conversation failed: " + what; });
  co_return Goodbye{.code = http::close_code::internal_error, .reason = "internal error"};
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
  WebSocketTransport transport(*socket, socket->subprotocol() != json_rpc);
  const auto& request = exchange.request();
  Guest guest{.principal = request.principal, .name = "ws", .luggage = luggage_of(request, host_)};
  const auto hosted = host_.open(exchange.loop(), transport, std::move(guest));
  const std::stop_callback ends(exchange.gone(), [&hosted] { hosted->finish(); });
  auto goodbye = co_await converse(*hosted, transport, exchange.loop());
  co_await socket->close(goodbye.code, std::move(goodbye.reason));
}

}  // namespace fairlead::transport
