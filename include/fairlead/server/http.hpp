#pragma once

#include <fairlead/auth/oauth_check.hpp>
#include <fairlead/http/listener.hpp>
#include <fairlead/transport/mcp_http_handler.hpp>

namespace fairlead::session {
class Service;
struct SessionOptions;
}  // namespace fairlead::session

namespace fairlead::server {

struct HttpServerState;

struct HttpOptions {
  http::ListenOptions listen = {};
  transport::McpHttpOptions mcp = {};
  /// Clients must send OAuth access tokens. Adds the check to `listen`, and allows the host of the resource.
  std::optional<auth::OAuthCheckOptions> oauth = {};
  std::size_t workers = 1;                           ///< Threads; 0: one per core.
  Duration drain_timeout = std::chrono::seconds{5};  ///< Time for pending requests to end on stop().
};

/// Serves a service on one port over all HTTP transports (Streamable HTTP, HTTP+SSE, WebSocket), on its own threads.
/// See examples/http_in_your_program.cpp.
class HttpServer : NonCopyable {
 public:
  /// `service` and `log` outlive the server.
  HttpServer(session::Service& service, LogSink& log, HttpOptions options, const session::SessionOptions& sessions);
  HttpServer(session::Service& service, LogSink& log, HttpOptions options = {});
  /// Calls stop().
  ~HttpServer();

  /// Binds the port and starts the threads.
  Result<void> start();

  /// After start(): the base URL, without a path.
  std::string url() const;

  /// Stops accepting, waits up to `drain_timeout` for pending requests and running tasks, joins the threads.
  void stop();

 private:
  std::unique_ptr<HttpServerState> state_;
};

}  // namespace fairlead::server
