#pragma once

#include <cstdint>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/http/websocket.hpp>
#include <string>
#include <vector>

#include "base/async_event.hpp"
#include "transport/http_server/operation_scopes.hpp"
#include "transport/http_server/push_transport.hpp"

namespace fairlead::transport {

/// JSON-RPC messages, and optionally tool-call frames, over a WebSocket.
///
/// Responses to messages that were read together are written together; other messages are written together per turn of
/// the loop.
class WebSocketTransport final : public PushTransport {
 public:
  enum class End : std::uint8_t { by_peer, by_us, expired, failed };

  /// `socket` outlives it. `tool_frames`: accept frames without a method as tool calls.
  /// `filter` decides about each request.
  WebSocketTransport(const EventLoop& loop, http::WebSocket& socket, bool tool_frames, OperationFilter filter)
      : log_(loop.log),
        socket_(socket),
        output_ready_(loop.executor),
        filter_(std::move(filter)),
        tool_frames_(tool_frames) {}

  /// Passes messages to the session until either side ends.
  Task<void> run(ServerSession& session);
  /// Stops reading.
  void finish(End why = End::by_us) noexcept;
  End end() const { return end_; }

  Task<Result<void>> send(Outgoing outgoing) override;
  Task<Result<void>> send_all(std::vector<Outgoing> several) override;
  Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) override;
  /// Keeps the socket open for the closing handshake, unless a `receive` is pending.
  void close() noexcept override;

 private:
  Task<void> start(TaskScope& scope, ServerSession& session);
  Task<void> read_all(ServerSession& session);
  Task<void> write_all();
  Task<Result<void>> send_text(std::string text);
  bool deliver(std::string text, ServerSession& session);
  std::string text_of(Outgoing outgoing);

  LogSink& log_;
  http::WebSocket& socket_;
  AsyncEvent output_ready_;  // Output was queued outside the reader.
  OperationFilter filter_;
  TaskScope::Handle reader_;
  TaskScope::Handle writer_;
  bool tool_frames_;
  bool waiting_ = false;     // The reader waits for the client.
  bool delivering_ = false;  // The reader is delivering messages that arrived together.
  bool writing_ = false;     // The writer is running.
  bool closed_ = false;
  End end_ = End::failed;           // Until set.
  std::vector<jsonrpc::Id> calls_;  // Pending calls of tool-call frames.
};

}  // namespace fairlead::transport
