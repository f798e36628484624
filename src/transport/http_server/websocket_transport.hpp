#pragma once

#include <fairlead/http/websocket.hpp>
#include <fairlead/transport/transport.hpp>
#include <string>
#include <vector>

namespace fairlead::transport {

/// Text messages as JSON-RPC, and as tool calls where they are such.
class WebSocketTransport final : public Transport {
 public:
  /// `socket` outlives it. `tool_frames`: whether frames without a method may be calls.
  WebSocketTransport(http::WebSocket& socket, bool tool_frames) : socket_(socket), tool_frames_(tool_frames) {}

  Task<Result<Received>> receive() override;
  Task<Result<void>> send(Outgoing outgoing) override;
  Task<Result<void>> send_all(std::vector<Outgoing> several) override;
  Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) override;
  /// Leaves the socket open for a goodbye, unless somebody waits for a message.
  void close() noexcept override;

  /// Whether the client said goodbye, or went without.
  bool ended_by_peer() const { return ended_by_peer_; }

 private:
  std::string text_of(Outgoing outgoing);

  http::WebSocket& socket_;
  bool tool_frames_;
  bool ended_by_peer_ = false;
  bool receiving_ = false;
  bool closed_ = false;
  std::vector<jsonrpc::Id> calls_;  // Made by tool frames, and not answered yet.
};

}  // namespace fairlead::transport
