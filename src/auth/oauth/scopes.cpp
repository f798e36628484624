#include <fairlead/auth/scopes.hpp>

#include <algorithm>
#include <fmt/core.h>
#include <utility>

namespace fairlead::auth {
namespace {

bool contains_scope(const Scopes& scopes, const std::string& wanted) {
  return std::ranges::find(scopes, wanted) != scopes.end();
}

using ScopeTable = std::vector<std::pair<std::string, Scopes>>;

// RFC 6749, 3.3.
bool is_scope(std::string_view scope) {
  const auto allowed = [](char c) { return c == '!' || (c >= '#' && c <= '[') || (c >= ']' && c <= '~'); };
  return !scope.empty() && std::ranges::all_of(scope, allowed);
}

/// Matches `*` with any text, without recursion: on a mismatch, the last `*` takes one more character.
bool matches_pattern(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t in = 0;
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  while (in < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      retry = in;
    } else if (at < pattern.size() && pattern[at] == text[in]) {
      ++at;
      ++in;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

void add_matching(Scopes& into, const ScopeTable& table, std::string_view name) {
  for (const auto& [pattern, scopes] : table) {
    if (matches_pattern(pattern, name)) into.insert(into.end(), scopes.begin(), scopes.end());
  }
}

Result<void> check_table(const ScopeTable& table) {
  for (const auto& [name, scopes] : table) {
    if (name.empty()) return fail(ErrorKind::invalid, "a rule for scopes needs the name of a tool, method or scope");
    if (auto checked = check_scopes(scopes); !checked) return checked;
  }
  return {};
}

}  // namespace

Result<void> check_scopes(const Scopes& scopes) {
  const auto wrong = std::ranges::find_if_not(scopes, is_scope);
  if (wrong == scopes.end()) return {};
  return fail(ErrorKind::invalid,
              fmt::format("'{}' is not a scope: use printable ASCII without blanks, quotes and \\", *wrong));
}

Result<ScopePolicy> ScopePolicy::make(ScopeRules rules) {
  for (const auto& checked :
       {check_scopes(rules.all), check_table(rules.tools), check_table(rules.methods), check_table(rules.implies)}) {
    if (!checked) return std::unexpected(checked.error());
  }
  ScopePolicy policy;
  policy.rules_ = std::move(rules);
  return policy;
}

Scopes ScopePolicy::needed(std::string_view method, std::string_view tool) const {
  Scopes scopes = rules_.all;
  add_matching(scopes, rules_.methods, method);
  if (!tool.empty()) add_matching(scopes, rules_.tools, tool);
  std::ranges::sort(scopes);
  scopes.erase(std::ranges::unique(scopes).begin(), scopes.end());
  return scopes;
}

std::vector<std::string> ScopePolicy::matching(std::string_view method, std::string_view tool) const {
  std::vector<std::string> rules;
  if (!rules_.all.empty()) rules.push_back("all: " + join_scopes(rules_.all));
  const auto add = [&](std::string_view kind, const ScopeTable& table, std::string_view name) {
    for (const auto& [pattern, scopes] : table) {
      if (matches_pattern(pattern, name)) rules.push_back(fmt::format("{}.{}: {}", kind, pattern, join_scopes(scopes)));
    }
  };
  add("methods", rules_.methods, method);
  if (!tool.empty()) add("tools", rules_.tools, tool);
  return rules;
}

Scopes ScopePolicy::with_implied(const Scopes& granted) const {
  Scopes scopes = granted;
  // Grows while it runs; each scope is added once, so that a circle of rules ends.
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    for (const auto& [scope, implied] : rules_.implies) {
      if (scope != scopes[i]) continue;
      for (const auto& each : implied) {
        if (!contains_scope(scopes, each)) scopes.push_back(each);
      }
    }
  }
  return scopes;
}

bool ScopePolicy::allows(const Scopes& granted, const Scopes& needed) const {
  const auto has = [&](const Scopes& scopes) {
    return std::ranges::all_of(needed, [&](const auto& scope) { return contains_scope(scopes, scope); });
  };
  return has(granted) || (!rules_.implies.empty() && has(with_implied(granted)));
}

std::string join_scopes(const Scopes& scopes) {
  std::string text;
  for (const auto& scope : scopes) text += (text.empty() ? "" : " ") + scope;
  return text;
}

}  // namespace fairlead::auth
