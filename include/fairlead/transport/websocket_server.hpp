#pragma once

#include <fairlead/http/handler.hpp>
#include <fairlead/http/websocket.hpp>
#include <fairlead/transport/host.hpp>

namespace fairlead::transport {

/// Conversations over WebSocket, one for each connection.
///
/// Messages are JSON-RPC. A client that does not insist on that, by the subprotocol `mcp`, may also call tools by
/// frames
/// `{id, name, arguments}`, and ask for a sign of life by `{"type": "ping"}`.
class WebSocketServer final : public http::Handler {
 public:
  /// `host` outlives it.
  explicit WebSocketServer(Host& host, http::WebSocketOptions options = {});

  Task<void> serve(http::Exchange& exchange) override;

 private:
  Host& host_;
  http::WebSocketOptions options_;
};

}  // namespace fairlead::transport
