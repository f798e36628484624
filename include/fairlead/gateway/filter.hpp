#pragma once

#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

/// Patterns with `*` and `?`. An empty list matches everything.
struct MatchPatterns {
  std::vector<std::string> tools = {};
  std::vector<std::string> prompts = {};
  std::vector<std::string> resources = {};  ///< Patterns of URIs.
  std::vector<std::string> servers = {};
  std::vector<std::string> methods = {};
};

/// Passes requests that match all given lists. Refuses other requests and removes their targets from lists.
std::unique_ptr<Middleware> allow(MatchPatterns patterns);

/// Refuses requests that match all given lists, and removes their targets from lists.
std::unique_ptr<Middleware> deny(MatchPatterns patterns);

}  // namespace fairlead::gateway
