#pragma once

#include <fairlead/gateway/middleware.hpp>
#include <memory>

namespace fairlead::gateway {

/// A middleware that answers in the server's place: who signs what it answers; null for nobody yet.
class Signing {
 public:
  virtual ~Signing() = default;
  virtual const protocol::Implementation* self() const = 0;
};

/// A middleware and what comes next, as one service.
std::shared_ptr<session::Service> hop(std::shared_ptr<Middleware> middleware, std::shared_ptr<session::Service> next);

/// What comes behind a middleware that looks at the way back too: everything that its server asks and tells goes
/// through the middleware.
std::shared_ptr<session::Service> way_back(std::shared_ptr<Middleware> middleware,
                                           std::shared_ptr<session::Service> next);

}  // namespace fairlead::gateway
