#include <algorithm>
#include <fmt/format.h>

#include "json/schema/evaluator.hpp"

namespace fairlead::json::schema {

namespace {

constexpr std::size_t max_alternatives = 8;

/// The alternative that the sender most likely meant: it fails deepest in the value, then has the fewest violations.
std::size_t nearest(const std::vector<std::vector<Violation>>& reasons) {
  const auto depth = [](const std::vector<Violation>& list) {
    std::size_t longest = 0;
    for (const auto& violation : list) longest = std::max(longest, violation.path.size());
    return longest;
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < reasons.size(); ++i) {
    const auto left = depth(reasons[i]);
    const auto right = depth(reasons[best]);
    if (left > right || (left == right && reasons[i].size() < reasons[best].size())) best = i;
  }
  return best;
}

std::string joined_reasons(const std::vector<Violation>& list) {
  std::vector<std::string> texts;
  for (const auto& violation : list) texts.push_back(to_string(violation));
  return joined(texts, "; ");
}

}  // namespace

bool Evaluator::logic(const Frame& frame, const LogicRules& rules) {
  bool holds = true;
  const auto keep_going = [&](bool ok) {
    holds = holds && ok;
    return ok || goes_on();
  };
  for (const auto node : rules.all_of) {
    if (!keep_going(apply_here(node, frame))) return false;
  }
  for (const auto& reference : rules.dynamic) {
    if (!keep_going(apply_here(dynamic_target(frame, reference), frame))) return false;
  }
  if (!rules.any_of.empty() && !keep_going(any_of(frame, rules))) return false;
  if (!rules.one_of.empty() && !keep_going(one_of(frame, rules))) return false;
  if (rules.negated != no_node && !keep_going(negated(frame, rules))) return false;
  return (rules.condition == no_node || conditional(frame, rules)) && holds;
}

bool Evaluator::any_of(const Frame& frame, const LogicRules& rules) {
  bool holds = false;
  {
    const auto quiet = redirect(nullptr);
    for (const auto node : rules.any_of) {
      holds = apply_branch(node, frame) || holds;
      // Every branch that holds adds its evaluated members.
      if (holds && frame.evaluated == nullptr) return true;
      if (stopped()) return false;
    }
  }
  return holds || violate(frame.path, [&] { return alternatives(frame, rules.any_of); });
}

bool Evaluator::one_of(const Frame& frame, const LogicRules& rules) {
  std::vector<std::string> accepted;
  std::size_t count = 0;
  const bool reporting = report_ != nullptr;
  {
    const auto quiet = redirect(nullptr);
    for (std::size_t i = 0; i < rules.one_of.size() && !stopped(); ++i) {
      if (!apply_branch(rules.one_of[i], frame)) continue;
      ++count;
      if (reporting) accepted.push_back(std::to_string(i + 1));
      if (count > 1 && !reporting) return false;
    }
  }
  if (count == 1) return true;
  if (count == 0) return violate(frame.path, [&] { return alternatives(frame, rules.one_of); });
  return violate(frame.path, [&] {
    return fmt::format("must match exactly one of {} alternatives, but matches number {}", rules.one_of.size(),
                       joined(accepted, " and "));
  });
}

bool Evaluator::negated(const Frame& frame, const LogicRules& rules) {
  if (!apply_quietly(rules.negated, frame.value, frame)) return true;
  return violate(frame.path,
                 [&] { return fmt::format("matches what `not` forbids, got {}", json_excerpt(frame.value)); });
}

bool Evaluator::conditional(const Frame& frame, const LogicRules& rules) {
  bool condition = false;
  {
    const auto quiet = redirect(nullptr);
    condition = apply_branch(rules.condition, frame);
  }
  const auto chosen = condition ? rules.then : rules.otherwise;
  return chosen == no_node || apply_here(chosen, frame);
}

/// Uses the outermost schema resource of the dynamic scope that has the anchor.
NodeId Evaluator::dynamic_target(const Frame& frame, const DynamicReference& reference) const {
  auto target = reference.initial;
  if (!reference.anchor) return target;
  for (const auto* at = &frame; at != nullptr; at = at->caller) {
    for (const auto& [name, node] : program_.dynamic_anchors[at->node.resource]) {
      if (name == *reference.anchor) target = node;
    }
  }
  return target;
}

/// Why no alternative holds: all reasons if each alternative has a simple one, otherwise those of the nearest.
std::string Evaluator::alternatives(const Frame& frame, const std::vector<NodeId>& nodes) {
  std::vector<std::vector<Violation>> reasons;
  for (std::size_t i = 0; i < std::min(nodes.size(), max_alternatives); ++i) {
    const auto aside = redirect(&reasons.emplace_back());
    apply(nodes[i], frame.value, frame.path, &frame, nullptr);
  }
  const auto here = path_of(frame.path);
  const bool simple =
      std::ranges::all_of(reasons, [&](const auto& list) { return list.size() == 1 && list.front().path == here; });
  if (simple && nodes.size() <= max_alternatives) {
    std::vector<std::string> texts;
    for (const auto& list : reasons) {
      if (std::ranges::find(texts, list.front().reason) == texts.end()) texts.push_back(list.front().reason);
    }
    return joined(texts, ", or ");
  }
  const auto best = nearest(reasons);
  if (reasons[best].empty()) return fmt::format("matches none of {} alternatives", nodes.size());
  return fmt::format("matches none of {} alternatives; the nearest is number {}: {}", nodes.size(), best + 1,
                     joined_reasons(reasons[best]));
}

}  // namespace fairlead::json::schema
