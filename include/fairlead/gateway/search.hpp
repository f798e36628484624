#pragma once

#include <cstddef>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

struct SearchOptions {
  std::size_t limit = 10;              ///< Results per search, at most.
  std::vector<std::string> keep = {};  ///< Patterns of tools that stay in the list.
  std::string prefix = {};             ///< Prefix of the names of the three tools.
};

/// Replaces a long list of tools by `find_tools`, `describe_tool` and `call_tool`. Other tools can be called through
/// `call_tool` or by name.
std::unique_ptr<Middleware> search(SearchOptions options);

}  // namespace fairlead::gateway
