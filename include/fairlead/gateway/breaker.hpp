#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

struct BreakerOptions {
  std::size_t failures = 5;                  ///< Consecutive failures that open the circuit.
  Duration open = std::chrono::seconds{30};  ///< Time until one call may probe the server.
};

/// Circuit breaker for each server. Counts transport failures only, not errors of tools.
std::unique_ptr<Middleware> breaker(BreakerOptions options, EventLoop loop);

}  // namespace fairlead::gateway
