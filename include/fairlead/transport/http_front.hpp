#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/http/websocket.hpp>
#include <fairlead/transport/host.hpp>
#include <fairlead/transport/http_sse.hpp>
#include <fairlead/transport/streamable_http.hpp>
#include <fairlead/transport/tool_http.hpp>
#include <functional>
#include <memory>
#include <string>

namespace fairlead::transport {

/// Where everything is that speaks MCP over HTTP. An empty path is not served.
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

struct HttpFrontOptions {
  HttpPaths paths = {};
  std::size_t workers = 1;

  /// Tool calls and WebSockets come to `paths.mcp` too. By Accept: both JSON and events are Streamable HTTP, events
  /// alone a tool call that is streamed, anything else a tool call.
  bool single_path = false;

  StreamableHttpOptions streamable = {};
  HttpSseOptions sse = {};  ///< Its path for messages is that of `paths`.
  ToolHttpOptions tool = {};
  http::WebSocketOptions websocket = {};
  std::function<bool()> is_ready = {};  ///< For `paths.ready`; any worker asks.
};

/// Everything that speaks MCP over HTTP, on one worker. `host` outlives it.
std::unique_ptr<http::Handler> make_http_front(Loop loop, std::size_t worker, Host& host,
                                               const HttpFrontOptions& options = {});

}  // namespace fairlead::transport
