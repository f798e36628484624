#pragma once

#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

/// Limits the time of calls and cancels them at the server. Progress restarts the idle timeout but not the total one.
std::unique_ptr<Middleware> timeout(session::Timeouts timeouts);

}  // namespace fairlead::gateway
