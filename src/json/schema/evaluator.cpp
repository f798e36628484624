#include "json/schema/evaluator.hpp"

#include <fmt/format.h>

namespace fairlead::json::schema {

namespace {

std::size_t size_of(const Value& value) {
  if (const auto* object = value.if_object()) return object->size();
  const auto* array = value.if_array();
  return array == nullptr ? 0 : array->size();
}

}  // namespace

bool Evaluator::accepts(const Value& value) {
  const InstancePath whole;
  return apply(0, value, whole, nullptr, nullptr) && !stopped();
}

bool Evaluator::apply(NodeId id, const Value& value, const InstancePath& path, const Frame* caller,
                      EvaluatedSet* evaluated) {
  const auto& node = program_.nodes[id];
  if (!spend(1, path)) return false;
  if (node.verdict == Verdict::always) return true;
  if (node.verdict == Verdict::never) return violate(path, [] { return "is not allowed here"; });
  const Frame frame{caller, node, value, path, evaluated};
  if (depth_ == program_.max_depth) {
    stop(path, too_deep(frame));
    return false;
  }
  ++depth_;
  const bool marking = node.unevaluated_items != no_node || node.unevaluated_properties != no_node;
  const bool accepted = marking ? rules_with_tracking(frame) : rules(frame);
  --depth_;
  return accepted;
}

/// Evaluates a branch that may fail; merges its evaluated members only if it holds.
bool Evaluator::apply_branch(NodeId id, const Frame& frame) {
  if (frame.evaluated == nullptr) return apply_here(id, frame);
  if (!spend(frame.evaluated->size() / 64, frame.path)) return false;
  EvaluatedSet own(frame.evaluated->size());
  if (!apply(id, frame.value, frame.path, &frame, &own)) return false;
  frame.evaluated->merge(own);
  return true;
}

bool Evaluator::apply_quietly(NodeId id, const Value& value, const Frame& frame) {
  const auto quiet = redirect(nullptr);
  return apply(id, value, frame.path, &frame, nullptr);
}

bool Evaluator::rules(const Frame& frame) {
  const auto& node = frame.node;
  if (node.types != type_bit::any && (types_of(frame.value) & node.types) == 0) {
    // Violations of other keywords are not useful for a value of the wrong type.
    return violate(frame.path, [&] {
      return fmt::format("expected {}, got {}", type_names(node.types),
                         frame.value.is_double() ? json_excerpt(frame.value) : type_name(frame.value));
    });
  }
  bool holds = true;
  for (const auto& allowed : node.constants) {
    if (constants(frame, allowed)) continue;
    holds = false;
    if (!goes_on()) return false;
  }
  if (!rules_of_type(frame)) {
    holds = false;
    if (!goes_on()) return false;
  }
  return (node.logic == nullptr || logic(frame, *node.logic)) && holds;
}

bool Evaluator::rules_of_type(const Frame& frame) {
  const auto& node = frame.node;
  switch (frame.value.kind()) {
    case boost::json::kind::object: return node.object == nullptr || object(frame, *node.object);
    case boost::json::kind::array: return node.array == nullptr || array(frame, *node.array);
    case boost::json::kind::string: return node.string == nullptr || string(frame, *node.string);
    case boost::json::kind::int64:
    case boost::json::kind::uint64:
    case boost::json::kind::double_: return node.number == nullptr || number(frame, *node.number);
    default: return true;
  }
}

/// `unevaluated*` considers what its own schema has evaluated, not what sibling schemas have.
bool Evaluator::rules_with_tracking(const Frame& frame) {
  const auto size = size_of(frame.value);
  if (!spend(size / 64, frame.path)) return false;
  EvaluatedSet own(size);
  const Frame marked{frame.caller, frame.node, frame.value, frame.path, &own};
  bool holds = rules(marked);
  if (!holds && !goes_on()) return false;
  if (frame.value.is_array()) holds = unevaluated_items(marked) && holds;
  if (frame.value.is_object()) holds = unevaluated_properties(marked) && holds;
  if (frame.evaluated != nullptr) frame.evaluated->merge(own);
  return holds;
}

bool Evaluator::spend(std::size_t steps, const InstancePath& path) {
  if (stopped()) return false;
  if (steps <= steps_left_) {
    steps_left_ -= steps;
    return true;
  }
  steps_left_ = 0;
  stop(path, fmt::format("checking takes more than {} steps; the schema branches too much for a value of this size",
                         program_.max_steps));
  return false;
}

void Evaluator::stop(const InstancePath& path, std::string reason) {
  if (stopped()) return;
  stop_path_ = path_of(path);
  stop_reason_ = std::move(reason);
}

std::string Evaluator::too_deep(const Frame& frame) const {
  for (const auto* outer = frame.caller; outer != nullptr; outer = outer->caller) {
    if (&outer->node == &frame.node && &outer->value == &frame.value) {
      return "the schema refers to itself without end here; a $ref cycle must go through a property or an item";
    }
  }
  return fmt::format("checking nests deeper than {} levels; send a value that is less deeply nested",
                     program_.max_depth);
}

}  // namespace fairlead::json::schema
