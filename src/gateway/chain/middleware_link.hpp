#pragma once

#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

/// A middleware that answers instead of the server: provides the server info for its results. May return null.
class ServerInfoSource {
 public:
  virtual ~ServerInfoSource() = default;
  virtual const protocol::Implementation* server_info() const = 0;
};

/// Combines a middleware and the next service into one service.
std::shared_ptr<session::Service> link_middleware(std::shared_ptr<Middleware> middleware,
                                                  std::shared_ptr<session::Service> next);

/// Wraps the service behind a bidirectional middleware: requests and notifications of the server go through the
/// middleware.
std::shared_ptr<session::Service> reverse_link(std::shared_ptr<Middleware> middleware,
                                               std::shared_ptr<session::Service> next);

}  // namespace fairlead::gateway
