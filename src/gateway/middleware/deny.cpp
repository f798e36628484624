#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/middleware/filter.hpp"
#include "gateway/middleware/glob.hpp"

namespace fairlead::gateway {
namespace {

bool names_anything(const MatchPatterns& patterns) {
  return !patterns.tools.empty() || !patterns.prompts.empty() || !patterns.resources.empty() ||
         !patterns.skills.empty();
}

FilterVerdict is_denied(const MatchPatterns& denied, const MatchInput& input) {
  if (!denied.methods.empty() && !any_matches(denied.methods, input.method)) return FilterVerdict::pass;
  const bool has_target_patterns = names_anything(denied) || !denied.servers.empty();
  if (!input.kind) return has_target_patterns ? FilterVerdict::pass : FilterVerdict::reject;
  if (names_anything(denied) && !matches_target(denied, input)) return FilterVerdict::pass;
  if (denied.servers.empty()) return FilterVerdict::reject;
  switch (matches_server(denied, input)) {
    case FilterVerdict::pass: return FilterVerdict::reject;
    case FilterVerdict::reject: return FilterVerdict::pass;
    case FilterVerdict::undecided: break;
  }
  return FilterVerdict::undecided;
}

}  // namespace

std::unique_ptr<Middleware> deny(MatchPatterns patterns) {
  auto callers = std::move(patterns.callers);
  const auto rule = [patterns = std::move(patterns)](const MatchInput& input) { return is_denied(patterns, input); };
  return make_filter("deny", rule, std::move(callers));
}

Registry::Entry deny_entry() {
  return {.usage = "deny(delete_*, server=git)",
          .summary = "Refuses and hides matching tools, prompts, resources, servers and methods.",
          .make = [](MiddlewareArguments& arguments, EventLoop) -> Result<std::unique_ptr<Middleware>> {
            return deny(read_match_patterns(arguments));
          }};
}

}  // namespace fairlead::gateway
