#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/http/client.hpp>
#include <fairlead/transport/transport.hpp>
#include <memory>
#include <string>
#include <vector>

namespace fairlead::transport {

/// How a client reaches a server over HTTP, whichever way of speaking MCP over it.
struct HttpClientOptions {
  std::string url = {};
  std::vector<http::Header> headers = {};  ///< With every request.
  std::string bearer = {};                 ///< A token for the Authorization field; empty for none.
  http::ClientOptions http = {};
  std::size_t max_message = std::size_t{64} * 1024 * 1024;

  Duration resume_after = std::chrono::seconds{1};  ///< Where the server does not say when to take up a broken stream.
  /// The least that a server may ask for. The pause doubles each time that nothing was heard, up to
  Duration least_resume_pause = std::chrono::milliseconds{100};
  Duration most_resume_pause = std::chrono::seconds{5};  ///< this, or what the server asks for if that is more.
  std::size_t max_resumes = 5;                           ///< In a row, without hearing anything new.
  Duration goodbye = std::chrono::seconds{2};            ///< For the server to take note of the end.
};

/// The client of Streamable HTTP, in both eras: it does what the messages that pass by say.
///
/// Each message is a POST. What comes back, be it JSON or a stream of events, is received in whatever order it comes; a
/// broken stream is resumed where its revision knows how. A session is kept, and ended by `close`. Runs its exchanges
/// in `scope`, which is joined after `close`.
class StreamableClient final : public Transport {
 public:
  StreamableClient(Loop loop, TaskScope& scope, HttpClientOptions options);
  StreamableClient(const StreamableClient&) = delete;
  StreamableClient& operator=(const StreamableClient&) = delete;
  ~StreamableClient() override;

  Task<Result<Received>> receive() override;
  Task<Result<void>> send(Outgoing outgoing) override;
  bool send_now(Outgoing& outgoing) override;
  void close() noexcept override;

  /// The status by which the server turned down the handshake, if it may be one that speaks HTTP+SSE; else 0.
  std::uint16_t refused_opening() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// The client of HTTP+SSE, the transport of the first revision: a stream of events to listen to, which names the
/// address to post to. That must be on the same origin.
Task<Result<std::unique_ptr<Transport>>> connect_http_sse(Loop loop, TaskScope& scope, HttpClientOptions options);

/// JSON-RPC over a WebSocket, subprotocol `mcp`; or, where the URL starts with `rpc+ws`, frames of tool calls.
Task<Result<std::unique_ptr<Transport>>> connect_websocket(Loop loop, TaskScope& scope, HttpClientOptions options);

/// The client of servers that know tool calls and nothing else, each a POST that is answered by JSON (`rpc+http://`) or
/// by events (`sse+http://`). What their protocol has no words for is answered on their behalf.
std::unique_ptr<Transport> make_tool_client(Loop loop, TaskScope& scope, HttpClientOptions options);

}  // namespace fairlead::transport
