#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

struct CacheOptions {
  Duration ttl = {};                    ///< Lifetime of results without a `ttlMs` of their own; 0 does not store them.
  std::vector<std::string> tools = {};  ///< Patterns of tools whose results are stored too, for `ttl`.
  std::size_t entries = 1'000;
  std::size_t bytes = std::size_t{64} * 1024 * 1024;
};

/// Caches lists, resources, prompts and results of the named tools until they expire or the server reports a change.
/// Results that are not public are cached per caller.
std::unique_ptr<Middleware> cache(CacheOptions options, EventLoop loop);

}  // namespace fairlead::gateway
