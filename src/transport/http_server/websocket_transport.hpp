#pragma once

#include <cstdint>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/http/websocket.hpp>
#include <string>
#include <vector>

#include "base/bell.hpp"
#include "transport/http_server/brought.hpp"

namespace fairlead::transport {

/// Text messages as JSON-RPC, and as tool calls where they are such.
///
/// What is answered at once leaves in one write with the answers to all that arrived together; what is said later, with
/// all that is said in the same turn of the loop.
class WebSocketTransport final : public Brought {
 public:
  enum class End : std::uint8_t { by_peer, by_us, failed };

  /// `socket` outlives it. `tool_frames`: whether frames without a method may be calls.
  WebSocketTransport(const Loop& loop, http::WebSocket& socket, bool tool_frames)
      : log_(loop.log), socket_(socket), said_(loop.executor), tool_frames_(tool_frames) {}

  /// Brings what the client says to the host, until either ends it.
  Task<void> run(Hosted& hosted);
  /// Reads no more.
  void finish() noexcept;
  End end() const { return end_; }

  Task<Result<void>> send(Outgoing outgoing) override;
  bool send_now(Outgoing& outgoing) override;
  Task<Result<void>> send_all(std::vector<Outgoing> several) override;
  Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) override;
  /// Leaves the socket open for a goodbye, unless somebody waits for a message.
  void close() noexcept override;

 private:
  Task<void> start(TaskScope& scope, Hosted& hosted);
  Task<void> read_all(Hosted& hosted);
  Task<void> write_all();
  bool bring(std::string text, Hosted& hosted);
  std::string text_of(Outgoing outgoing);

  LogSink& log_;
  http::WebSocket& socket_;
  Bell said_;  // Something, outside the reader's turn.
  TaskScope::Handle reader_;
  TaskScope::Handle writer_;
  bool tool_frames_;
  bool waiting_ = false;   // The reader, for the client.
  bool bringing_ = false;  // Messages that arrived together are being taken; their answers leave together.
  bool writing_ = false;   // The writer is there for what is said.
  bool closed_ = false;
  End end_ = End::failed;           // Unless it turns out otherwise.
  std::vector<jsonrpc::Id> calls_;  // Made by tool frames, and not answered yet.
};

}  // namespace fairlead::transport
