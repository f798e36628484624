#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <memory>

namespace fairlead::gateway {

struct RetryOptions {
  std::size_t times = 2;                            ///< After the first try.
  Duration delay = std::chrono::milliseconds{300};  ///< Before the second try; then twice as long each time,
  Duration most = std::chrono::seconds{30};         ///< up to this.
};

/// Asks again where the way to the server has failed and asking again does no harm: for what was not made at all; and,
/// where that is unknown, for lists, reads, gets and completions, and for tools that say they only read or may be
/// repeated. Never after a timeout.
std::unique_ptr<Middleware> retry(RetryOptions options, Loop loop);

}  // namespace fairlead::gateway
