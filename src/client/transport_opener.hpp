#pragma once

#include <fairlead/client/endpoint.hpp>
#include <fairlead/session/service.hpp>
#include <fairlead/transport/http_client.hpp>

namespace fairlead::client {

/// An open transport and what is known about its kind.
struct OpenedTransport {
  std::unique_ptr<transport::Transport> near_end;
  transport::ChildTransport* child = nullptr;         ///< Same object as `near_end` if a child process.
  transport::StreamableClient* streamable = nullptr;  ///< Same object as `near_end` if Streamable HTTP.

  // Only for a service in this process.
  std::unique_ptr<transport::Transport> far_end = {};
  session::Service* local = nullptr;
};

/// What open_transport needs besides the endpoint.
struct TransportOptions {
  TaskScope& scope;  ///< For tasks of the transport; outlives it.
  transport::HttpClientOptions http = {};
  bool http_sse = false;  ///< Use HTTP+SSE for an http URL.
};

Task<Result<OpenedTransport>> open_transport(EventLoop loop, Endpoint endpoint, TransportOptions options);

}  // namespace fairlead::client
