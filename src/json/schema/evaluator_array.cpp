#include <algorithm>
#include <fmt/format.h>

#include "json/schema/equality.hpp"
#include "json/schema/evaluator.hpp"

namespace fairlead::json::schema {

namespace {

using Duplicates = std::optional<std::pair<std::size_t, std::size_t>>;

/// Up to this size, comparing all pairs is faster than hashing and needs no memory.
constexpr std::size_t few_items = 12;

Duplicates duplicates_among_few(const boost::json::array& items) {
  for (std::size_t i = 1; i < items.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (equal(items[i], items[j])) return std::pair(j, i);
    }
  }
  return std::nullopt;
}

/// `comparisons` limits the cost of deliberate hash collisions; at 0 the search is aborted.
Duplicates duplicates_among_many(const boost::json::array& items, std::size_t& comparisons) {
  std::vector<std::pair<std::uint64_t, std::size_t>> hashes;
  hashes.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) hashes.emplace_back(hash_of(items[i]), i);
  std::ranges::sort(hashes);
  for (std::size_t i = 1; i < hashes.size(); ++i) {
    for (auto j = i; j > 0 && hashes[j - 1].first == hashes[i].first; --j) {
      if (comparisons == 0) return std::nullopt;
      --comparisons;
      if (equal(items[hashes[i].second], items[hashes[j - 1].second]))
        return std::pair(hashes[j - 1].second, hashes[i].second);
    }
  }
  return std::nullopt;
}

std::string items_phrase(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "item" : "items");
}

}  // namespace

bool Evaluator::array(const Frame& frame, const ArrayRules& rules) {
  const auto size = frame.value.get_array().size();
  bool holds = true;
  if (size < rules.min_items) {
    holds = violate(frame.path,
                    [&] { return fmt::format("must have at least {}, got {}", items_phrase(rules.min_items), size); });
  }
  if (size > rules.max_items) {
    holds = violate(frame.path,
                    [&] { return fmt::format("must have at most {}, got {}", items_phrase(rules.max_items), size); });
  }
  if (!holds && !goes_on()) return false;
  if (!items(frame, rules)) holds = false;
  if (!holds && !goes_on()) return false;
  if (rules.contains != no_node && !contains(frame, rules)) holds = false;
  if (!holds && !goes_on()) return false;
  return (!rules.unique || unique(frame)) && holds;
}

bool Evaluator::items(const Frame& frame, const ArrayRules& rules) {
  const auto& list = frame.value.get_array();
  const auto last = rules.items == no_node ? std::min(rules.prefix.size(), list.size()) : list.size();
  bool holds = true;
  for (std::size_t i = 0; i < last; ++i) {
    const auto node = i < rules.prefix.size() ? rules.prefix[i] : rules.items;
    if (frame.evaluated != nullptr) frame.evaluated->mark(i);
    if (apply(node, list[i], {&frame.path, {}, i}, &frame, nullptr)) continue;
    holds = false;
    if (!goes_on()) return false;
  }
  return holds;
}

bool Evaluator::contains(const Frame& frame, const ArrayRules& rules) {
  const auto& list = frame.value.get_array();
  std::size_t count = 0;
  for (std::size_t i = 0; i < list.size() && !stopped(); ++i) {
    if (!apply_quietly(rules.contains, list[i], frame)) continue;
    ++count;
    if (frame.evaluated != nullptr) frame.evaluated->mark(i);
    const bool settled = count >= rules.min_contains && rules.max_contains == no_limit && frame.evaluated == nullptr;
    if (settled || (count > rules.max_contains && frame.evaluated == nullptr)) break;
  }
  if (count < rules.min_contains) {
    return violate(frame.path, [&] {
      return fmt::format("must contain at least {} of the kind that `contains` describes, got {}",
                         items_phrase(rules.min_contains), count);
    });
  }
  if (count <= rules.max_contains) return true;
  return violate(frame.path, [&] {
    return fmt::format("must contain at most {} of the kind that `contains` describes",
                       items_phrase(rules.max_contains));
  });
}

bool Evaluator::unique(const Frame& frame) {
  const auto& list = frame.value.get_array();
  const bool few = list.size() <= few_items;
  const auto cost = comparison_cost(frame.value, steps_left_) * (few ? std::max<std::size_t>(list.size() / 2, 1) : 1);
  if (!spend(cost, frame.path)) return false;
  auto comparisons = steps_left_;
  const auto found = few ? duplicates_among_few(list) : duplicates_among_many(list, comparisons);
  if (!spend(comparisons == 0 ? no_limit : steps_left_ - comparisons, frame.path)) return false;
  if (!found) return true;
  return violate(frame.path, [&] {
    return fmt::format("items must be unique: items {} and {} are both {}", found->first, found->second,
                       json_excerpt(list[found->first]));
  });
}

bool Evaluator::unevaluated_items(const Frame& frame) {
  if (frame.node.unevaluated_items == no_node) return true;
  const auto& list = frame.value.get_array();
  const bool refused = program_.nodes[frame.node.unevaluated_items].verdict == Verdict::never;
  bool holds = true;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (frame.evaluated->has(i)) continue;
    const InstancePath path{&frame.path, {}, i};
    const bool accepted = refused ? violate(path, [] { return "is one item too many"; })
                                  : apply(frame.node.unevaluated_items, list[i], path, &frame, nullptr);
    if (accepted) continue;
    holds = false;
    if (!goes_on()) return false;
  }
  frame.evaluated->mark_all();
  return holds;
}

}  // namespace fairlead::json::schema
