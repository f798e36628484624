#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/http/websocket.hpp>
#include <fairlead/transport/http_sse.hpp>
#include <fairlead/transport/session_factory.hpp>
#include <fairlead/transport/streamable_http.hpp>
#include <fairlead/transport/tool_http.hpp>
#include <functional>

namespace fairlead::transport {

/// Paths of the MCP transports over HTTP. An empty path is not served.
struct HttpPaths {
  std::string mcp = "/mcp";
  std::string sse = "/sse";
  std::string messages = "/messages";
  std::string rpc = "/rpc";
  std::string rpc_stream = "/rpc/stream";
  std::string ws = "/ws";
  std::string health = "/healthz";
  std::string ready = "/readyz";

  bool operator==(const HttpPaths&) const = default;
};

struct McpHttpOptions {
  HttpPaths paths = {};
  std::size_t workers = 1;

  /// Serve tool calls and WebSockets at `paths.mcp` too. The Accept header decides: JSON and events is Streamable HTTP,
  /// events alone a streamed tool call, anything else a tool call.
  bool single_path = false;

  StreamableHttpOptions streamable = {};
  HttpSseOptions sse = {};  ///< `messages` is taken from `paths`.
  ToolHttpOptions tool = {};
  http::WebSocketOptions websocket = {};
  std::function<bool()> is_ready = {};  ///< Readiness for `paths.ready`. Called by any worker.
};

/// Creates the handler for all MCP transports over HTTP on one worker. `factory` outlives it.
std::unique_ptr<http::Handler> make_mcp_http_handler(EventLoop loop, std::size_t worker, SessionFactory& factory,
                                                     const McpHttpOptions& options = {});

}  // namespace fairlead::transport
