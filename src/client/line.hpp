#pragma once

#include <fairlead/client/endpoint.hpp>
#include <fairlead/session/service.hpp>
#include <fairlead/transport/http_client.hpp>
#include <memory>

namespace fairlead::client {

/// A way to a server, just opened.
struct Line {
  std::unique_ptr<transport::Transport> transport;
  transport::ChildTransport* child = nullptr;         ///< What `transport` is, if we started the server,
  transport::StreamableClient* streamable = nullptr;  ///< or if it is spoken to over Streamable HTTP.
  bool turns_away = true;  ///< It may say of a request that nobody has read it (`transport::not_processed`).

  // Where the server is an object of this process: its end, and itself.
  std::unique_ptr<transport::Transport> far_end = {};
  session::Service* local = nullptr;
};

/// What opening a line needs besides the endpoint.
struct LineOptions {
  TaskScope& scope;  ///< For the line's own tasks; outlives it.
  transport::HttpClientOptions http = {};
  bool http_sse = false;  ///< A plain URL is one of HTTP+SSE.
};

Task<Result<Line>> open_line(Loop loop, Endpoint endpoint, LineOptions options);

}  // namespace fairlead::client
