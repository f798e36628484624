#pragma once

#include <fairlead/gateway/middleware.hpp>
#include <memory>

namespace fairlead::gateway {

/// Gives up on calls that take too long; the server is told. Signs of progress count from anew, up to the cap.
std::unique_ptr<Middleware> timeout(session::Patience patience);

}  // namespace fairlead::gateway
