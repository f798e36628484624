#pragma once

#include <fairlead/gateway/caller_patterns.hpp>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

/// Patterns with `*` and `?`. An empty list matches everything.
struct MatchPatterns {
  std::vector<std::string> tools = {};
  std::vector<std::string> prompts = {};
  std::vector<std::string> resources = {};  ///< Patterns of URIs.
  std::vector<std::string> skills = {};     ///< Patterns of names; also apply to the files of skills.
  std::vector<std::string> servers = {};
  std::vector<std::string> methods = {};
  CallerPatterns callers = {};  ///< Requests of other callers pass.
};

/// Passes requests that match all given lists. Refuses other requests and removes their targets from lists.
std::unique_ptr<Middleware> allow(MatchPatterns patterns);

/// Refuses requests that match all given lists, and removes their targets from lists.
std::unique_ptr<Middleware> deny(MatchPatterns patterns);

}  // namespace fairlead::gateway
