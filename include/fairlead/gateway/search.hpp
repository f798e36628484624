#pragma once

#include <cstddef>
#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <string>
#include <vector>

namespace fairlead::gateway {

struct SearchOptions {
  std::size_t limit = 10;              ///< Tools that one search finds at most.
  std::vector<std::string> keep = {};  ///< Patterns: tools that stay in the list besides.
  std::string prefix = {};             ///< Before the names of the three.
};

/// Shows three tools in place of many: `find_tools`, `describe_tool` and `call_tool`. All others can be called through
/// the last, or by their names.
std::unique_ptr<Middleware> search(SearchOptions options);

}  // namespace fairlead::gateway
