#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <string>
#include <vector>

namespace fairlead::gateway {

struct CacheOptions {
  Duration ttl = {};  ///< For results that do not say themselves how long they are good; 0 keeps none of those.
  std::vector<std::string> tools = {};  ///< Patterns: whose results are kept too, for `ttl`.
  std::size_t entries = 1'000;
  std::size_t bytes = std::size_t{64} * 1024 * 1024;
};

/// Uses lists, resources, prompts and results of the named tools again for as long as they are good, or until the
/// server says that they have changed. What is not public stays with whom it was given to.
std::unique_ptr<Middleware> cache(CacheOptions options, Loop loop);

}  // namespace fairlead::gateway
