#pragma once

#include <fairlead/gateway/middleware.hpp>
#include <memory>

namespace fairlead::gateway {

/// A middleware and what comes next, as one service.
std::shared_ptr<session::Service> hop(std::shared_ptr<Middleware> middleware, std::shared_ptr<session::Service> next);

/// What comes behind a middleware that looks at the way back too: everything that its server asks and tells goes
/// through the middleware.
std::shared_ptr<session::Service> way_back(std::shared_ptr<Middleware> middleware,
                                           std::shared_ptr<session::Service> next);

}  // namespace fairlead::gateway
