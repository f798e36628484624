#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

struct RetryOptions {
  std::size_t times = 2;                            ///< Retries after the first attempt.
  Duration delay = std::chrono::milliseconds{300};  ///< Delay before the first retry, doubled each time,
  Duration max_delay = std::chrono::seconds{30};    ///< up to this. A longer wait is not retried.
};

/// Retries calls after transport failures. Retries requests that were not sent; if that is unknown, only lists, reads,
/// gets, completions and tools that declare themselves read-only or idempotent. Never retries after a timeout.
std::unique_ptr<Middleware> retry(RetryOptions options, EventLoop loop);

}  // namespace fairlead::gateway
