#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/middleware/filter.hpp"
#include "gateway/middleware/glob.hpp"

namespace fairlead::gateway {
namespace {

FilterVerdict is_allowed(const MatchPatterns& allowed, const MatchInput& input) {
  if (!allowed.methods.empty() && !any_matches(allowed.methods, input.method)) return FilterVerdict::reject;
  if (!input.kind) return FilterVerdict::pass;
  if (has_patterns_for(allowed, input) && !matches_target(allowed, input)) return FilterVerdict::reject;
  return allowed.servers.empty() ? FilterVerdict::pass : matches_server(allowed, input);
}

}  // namespace

std::unique_ptr<Middleware> allow(MatchPatterns patterns) {
  auto callers = std::move(patterns.callers);
  const auto rule = [patterns = std::move(patterns)](const MatchInput& input) { return is_allowed(patterns, input); };
  return make_filter("allow", rule, std::move(callers));
}

Registry::Entry allow_entry() {
  return {.usage = "allow(read_*, method=tools/*)",
          .summary = "Allows matching tools, prompts, resources, servers and methods; refuses and hides all others.",
          .make = [](MiddlewareArguments& arguments, EventLoop) -> Result<std::unique_ptr<Middleware>> {
            return allow(read_match_patterns(arguments));
          }};
}

}  // namespace fairlead::gateway
