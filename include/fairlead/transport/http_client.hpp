#pragma once

#include <fairlead/auth/credential.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/http/client.hpp>
#include <fairlead/transport/transport.hpp>

namespace fairlead::transport {

/// Options of all MCP clients over HTTP.
struct HttpClientOptions {
  std::string url = {};
  std::vector<http::Header> headers = {};          ///< Sent with every request.
  std::string bearer = {};                         ///< Bearer token for the Authorization header; empty for none.
  std::shared_ptr<auth::TokenSource> tokens = {};  ///< Supplies tokens, such as oauth(). Not used with `bearer`.
  http::ClientOptions http = {};
  std::size_t max_message = std::size_t{64} * 1024 * 1024;

  /// Delay before a broken stream is resumed, if the server sends no `retry`.
  Duration resume_delay = std::chrono::seconds{1};
  /// Lower limit for the server's `retry`. The delay doubles after each attempt without a message.
  Duration min_resume_delay = std::chrono::milliseconds{100};
  /// Upper limit for the doubled delay; a longer `retry` of the server wins.
  Duration max_resume_delay = std::chrono::seconds{5};
  std::size_t max_resumes = 5;                       ///< Attempts in a row without a new event.
  Duration close_timeout = std::chrono::seconds{2};  ///< Timeout of the DELETE that ends the session.
};

struct StreamableClientState;

/// Streamable HTTP client for sessions and for stateless requests; the messages decide which.
///
/// Sends each message as a POST. Responses, JSON or event streams, are received in the order they arrive; a broken
/// stream is resumed if the revision supports it. Keeps the session id, and deletes the session on `close`. Runs its
/// exchanges in `scope`, which is joined after `close`.
class StreamableClient final : public Transport, NonCopyable {
 public:
  StreamableClient(EventLoop loop, TaskScope& scope, HttpClientOptions options);
  ~StreamableClient() override;

  Task<Result<Received>> receive() override;
  Task<Result<void>> send(Outgoing outgoing) override;
  void close() noexcept override;

  /// HTTP status with which the server rejected `initialize`, if it may be an HTTP+SSE server; else 0.
  std::uint16_t rejected_initialize_status() const;

 private:
  std::shared_ptr<StreamableClientState> state_;
};

/// Connects by HTTP+SSE, the transport of revision 2024-11-05: the event stream names the URL to post to, which must
/// have the same origin.
Task<Result<std::unique_ptr<Transport>>> connect_http_sse(EventLoop loop, TaskScope& scope, HttpClientOptions options);

/// Connects by WebSocket with subprotocol `mcp`; for URLs that start with `rpc+ws`, with tool-call frames.
Task<Result<std::unique_ptr<Transport>>> connect_websocket(EventLoop loop, TaskScope& scope, HttpClientOptions options);

/// Client for servers that only support tool calls: each call is a POST, answered by JSON (`rpc+http://`) or by events
/// (`sse+http://`). Other MCP requests are answered locally.
std::unique_ptr<Transport> make_tool_client(EventLoop loop, TaskScope& scope, HttpClientOptions options);

}  // namespace fairlead::transport
