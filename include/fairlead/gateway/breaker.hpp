#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <memory>

namespace fairlead::gateway {

struct BreakerOptions {
  std::size_t failures = 5;                  ///< In a row: then nobody asks any more,
  Duration open = std::chrono::seconds{30};  ///< for so long. Then one may try.
};

/// Keeps callers away from a server that does not answer, each server on its own. A tool that fails is no such server.
std::unique_ptr<Middleware> breaker(BreakerOptions options, Loop loop);

}  // namespace fairlead::gateway
