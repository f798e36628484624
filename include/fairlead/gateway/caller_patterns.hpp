#pragma once

#include <string>
#include <vector>

namespace fairlead::gateway {

/// Callers that a step is for. An empty list matches every caller; each given list must match.
struct CallerPatterns {
  std::vector<std::string> names = {};   ///< Patterns of principals.
  std::vector<std::string> scopes = {};  ///< Patterns of scopes; the caller needs one that matches.

  bool all() const { return names.empty() && scopes.empty(); }
};

}  // namespace fairlead::gateway
