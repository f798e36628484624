#pragma once

#include <fairlead/gateway/arguments.hpp>
#include <fairlead/gateway/filter.hpp>

#include "gateway/model/request_target.hpp"

namespace fairlead::gateway {

/// Decision on a request; `undecided` if its server is not known yet.
enum class FilterVerdict : std::uint8_t { pass, reject, undecided };

/// Input of a filter rule.
struct MatchInput {
  std::string_view method;
  std::optional<ListKind> kind = {};  ///< Kind of the target, if any.
  std::string_view name = {};
  const session::Service* next = nullptr;  ///< Looks up the server.
};

using FilterRule = std::function<FilterVerdict(const MatchInput&)>;

/// Applies a rule to calls and lists of the selected callers. `step` is the name in errors.
std::unique_ptr<Middleware> make_filter(std::string step, FilterRule rule, CallerPatterns callers = {});

/// Whether the patterns have any for a target: patterns of skills apply to the files of skills too.
bool has_patterns_for(const MatchPatterns& patterns, const MatchInput& input);
/// Whether a pattern matches the target.
bool matches_target(const MatchPatterns& patterns, const MatchInput& input);

/// True if the target belongs to one of the servers.
FilterVerdict matches_server(const MatchPatterns& patterns, const MatchInput& input);

/// Reads the arguments `read_*, prompt=p, resource=r, skill=k, server=s, method=m`.
MatchPatterns read_match_patterns(MiddlewareArguments& arguments);

}  // namespace fairlead::gateway
