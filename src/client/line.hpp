#pragma once

#include <fairlead/client/endpoint.hpp>
#include <fairlead/session/service.hpp>
#include <memory>

namespace fairlead::client {

/// A way to a server, just opened.
struct Line {
  std::unique_ptr<transport::Transport> transport;
  transport::ChildTransport* child = nullptr;  ///< What `transport` is, if we started the server.

  // Where the server is an object of this process: its end, and itself.
  std::unique_ptr<transport::Transport> far_end = {};
  session::Service* local = nullptr;
};

Task<Result<Line>> open_line(Loop loop, Endpoint endpoint);

}  // namespace fairlead::client
