#pragma once

#include <fairlead/base/result.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::auth {

using Scopes = std::vector<std::string>;

/// Scopes that operations need. Patterns may contain `*`; every pattern that matches adds its scopes.
struct ScopeRules {
  Scopes all = {};                                           ///< For every request.
  std::vector<std::pair<std::string, Scopes>> tools = {};    ///< By tool name, for tools/call.
  std::vector<std::pair<std::string, Scopes>> methods = {};  ///< By JSON-RPC method.
  std::vector<std::pair<std::string, Scopes>> implies = {};  ///< A scope, and those that it includes.

  bool operator==(const ScopeRules&) const = default;
};

/// Decides which scopes an operation needs and whether a caller has them. Immutable; thread-safe.
class ScopePolicy {
 public:
  ScopePolicy() = default;
  /// `invalid` for a scope with characters that RFC 6749, 3.3 does not allow, and for an empty pattern.
  static Result<ScopePolicy> make(ScopeRules rules);

  /// Sorted, each scope once. `tool` is empty for other methods than tools/call.
  Scopes needed(std::string_view method, std::string_view tool) const;
  /// The rules behind `needed`, for people: `all: mcp`, `tools.git_*: git:read`.
  std::vector<std::string> matching(std::string_view method, std::string_view tool) const;
  /// True if the granted scopes, with those that they imply at any depth, contain all needed ones.
  bool allows(const Scopes& granted, const Scopes& needed) const;
  /// What a client needs for every request; the `scopes_supported` of the metadata.
  const Scopes& basic() const { return rules_.all; }
  /// True if some operations need more than basic().
  bool has_operation_rules() const { return !rules_.tools.empty() || !rules_.methods.empty(); }

 private:
  Scopes with_implied(const Scopes& granted) const;

  ScopeRules rules_;
};

/// `invalid` for a scope with characters that RFC 6749, 3.3 does not allow.
Result<void> check_scopes(const Scopes& scopes);

/// Joins scopes with blanks, as in `scope` parameters.
std::string join_scopes(const Scopes& scopes);

}  // namespace fairlead::auth
