#pragma once

#include <fairlead/http/handler.hpp>
#include <fairlead/http/websocket.hpp>
#include <fairlead/transport/session_factory.hpp>

namespace fairlead::transport {

/// MCP sessions over WebSocket, one per connection.
///
/// Messages are JSON-RPC. Without the subprotocol `mcp`, clients may also call tools by frames `{id, name, arguments}`
/// and send `{"type": "ping"}`.
class WebSocketServer final : public http::Handler {
 public:
  /// `factory` outlives it.
  explicit WebSocketServer(SessionFactory& factory, http::WebSocketOptions options = {});

  Task<http::Response> handle(http::Request& request) override;

 private:
  Task<void> serve(http::Exchange& exchange);

  SessionFactory& factory_;
  http::WebSocketOptions options_;
};

}  // namespace fairlead::transport
