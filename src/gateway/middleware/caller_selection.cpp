#include "gateway/middleware/caller_selection.hpp"

#include <algorithm>
#include <fairlead/http/identity.hpp>

#include "gateway/middleware/glob.hpp"

namespace fairlead::gateway {

bool selects(const CallerPatterns& patterns, const session::Call& call) {
  if (!patterns.names.empty() && !any_matches(patterns.names, call.context.principal)) return false;
  if (patterns.scopes.empty()) return true;
  const auto& identity = call.context.identity;
  return identity && std::ranges::any_of(identity->scopes,
                                         [&](const std::string& scope) { return any_matches(patterns.scopes, scope); });
}

CallerPatterns read_caller_patterns(MiddlewareArguments& arguments) {
  return {.names = arguments.texts("caller"), .scopes = arguments.texts("scope")};
}

}  // namespace fairlead::gateway
