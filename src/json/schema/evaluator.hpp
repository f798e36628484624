#pragma once

#include <boost/json.hpp>
#include <fairlead/json/schema.hpp>

#include "base/scope_exit.hpp"
#include "json/schema/evaluated_set.hpp"
#include "json/schema/program.hpp"
#include "json/schema/violation_text.hpp"

namespace fairlead::json::schema {

using Value = boost::json::value;

/// The evaluation of one schema on one value. The chain of callers is the dynamic scope.
struct Frame {
  const Frame* caller;
  const Node& node;
  const Value& value;
  const InstancePath& path;
  EvaluatedSet* evaluated;  ///< Null if evaluated members need not be tracked.
};

/// Runs a program on one value.
///
/// Without a report it stops at the first violation and allocates nothing, except for `unevaluated*`, `uniqueItems` on
/// long arrays and `propertyNames` on long names.
class Evaluator {
 public:
  Evaluator(const Program& program, std::vector<Violation>* report)
      : program_(program), report_(report), steps_left_(program.max_steps) {}

  bool accepts(const Value& value);

  /// True if a budget ended the evaluation; the result is then meaningless.
  bool stopped() const { return !stop_reason_.empty(); }
  Violation stop_violation() const { return {stop_path_, stop_reason_}; }

 private:
  /// Redirects violations to another report, or discards them, for a scope.
  auto redirect(std::vector<Violation>* report) {
    return ScopeExit([this, before = std::exchange(report_, report)] { report_ = before; });
  }

  bool apply(NodeId id, const Value& value, const InstancePath& path, const Frame* caller, EvaluatedSet* evaluated);
  bool apply_here(NodeId id, const Frame& frame) { return apply(id, frame.value, frame.path, &frame, frame.evaluated); }
  bool apply_branch(NodeId id, const Frame& frame);
  bool apply_quietly(NodeId id, const Value& value, const Frame& frame);
  bool rules(const Frame& frame);
  bool rules_of_type(const Frame& frame);
  bool rules_with_tracking(const Frame& frame);

  bool constants(const Frame& frame, const Constants& constants);
  bool number(const Frame& frame, const NumberRules& rules);
  bool multiple(const Frame& frame, const NumberRules& rules, const Number& number);
  bool string(const Frame& frame, const StringRules& rules);
  bool length(const Frame& frame, const StringRules& rules, std::string_view text);

  bool array(const Frame& frame, const ArrayRules& rules);
  bool items(const Frame& frame, const ArrayRules& rules);
  bool contains(const Frame& frame, const ArrayRules& rules);
  bool unique(const Frame& frame);
  bool unevaluated_items(const Frame& frame);

  bool object(const Frame& frame, const ObjectRules& rules);
  bool members(const Frame& frame, const ObjectRules& rules);
  bool member(const Frame& frame, const ObjectRules& rules, const NameTable::Entry* entry, std::size_t index);
  bool additional(const Frame& frame, NodeId node, std::string_view name, const Value& value);
  bool missing(const Frame& frame, const ObjectRules& rules);
  bool property_name(const Frame& frame, NodeId node, std::string_view name);
  bool dependency(const Frame& frame, const Dependency& dependency);
  bool unevaluated_properties(const Frame& frame);
  void known_names(const Node& node, std::vector<std::string_view>& names, int hops) const;

  bool logic(const Frame& frame, const LogicRules& rules);
  bool any_of(const Frame& frame, const LogicRules& rules);
  bool one_of(const Frame& frame, const LogicRules& rules);
  bool negated(const Frame& frame, const LogicRules& rules);
  bool conditional(const Frame& frame, const LogicRules& rules);
  NodeId dynamic_target(const Frame& frame, const DynamicReference& reference) const;
  std::string alternatives(const Frame& frame, const std::vector<NodeId>& nodes);

  /// Charges steps to the budget; returns false from then on once it is exhausted.
  bool spend(std::size_t steps, const InstancePath& path);
  void stop(const InstancePath& path, std::string reason);
  std::string too_deep(const Frame& frame) const;

  /// After a violation: true to continue and find more.
  bool goes_on() const { return report_ != nullptr && report_->size() < Schema::max_violations && !stopped(); }

  /// Records a violation and returns false. Calls `describe` only if there is a report.
  template <class Describe>
  bool violate(const InstancePath& path, Describe describe) {
    if (report_ == nullptr || report_->size() >= Schema::max_violations) return false;
    // Building the text is the most expensive step, and nested alternatives build many texts that are discarded.
    constexpr std::size_t steps_per_message = 32;
    report_->push_back({path_of(path), describe()});
    return spend(steps_per_message, path) && false;
  }

  const Program& program_;
  std::vector<Violation>* report_;
  std::size_t steps_left_;
  std::size_t depth_ = 0;
  std::string stop_path_ = {};
  std::string stop_reason_ = {};
};

}  // namespace fairlead::json::schema
