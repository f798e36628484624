#include <fmt/format.h>

#include "json/schema/evaluator.hpp"
#include "json/schema/regex.hpp"

namespace fairlead::json::schema {

namespace {

/// How many references to follow when collecting the known property names of a schema.
constexpr int max_hops = 6;

/// Buffer for a property name as a JSON value, so that checking a name of ordinary length does not allocate.
constexpr std::size_t name_buffer = 256;

std::string properties_phrase(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "property" : "properties");
}

}  // namespace

bool Evaluator::object(const Frame& frame, const ObjectRules& rules) {
  const auto size = frame.value.get_object().size();
  bool holds = true;
  if (size < rules.min_properties) {
    holds = violate(frame.path, [&] {
      return fmt::format("must have at least {}, got {}", properties_phrase(rules.min_properties), size);
    });
  }
  if (size > rules.max_properties) {
    holds = violate(frame.path, [&] {
      return fmt::format("must have at most {}, got {}", properties_phrase(rules.max_properties), size);
    });
  }
  if (!holds && !goes_on()) return false;
  if (!members(frame, rules)) holds = false;
  if (!holds && !goes_on()) return false;
  for (const auto& each : rules.dependencies) {
    if (dependency(frame, each)) continue;
    holds = false;
    if (!goes_on()) return false;
  }
  return holds;
}

bool Evaluator::members(const Frame& frame, const ObjectRules& rules) {
  const auto& object = frame.value.get_object();
  std::size_t required_left = rules.names.required();
  bool holds = true;
  std::size_t index = 0;
  for (const auto& pair : object) {
    if (!spend(1, frame.path)) return false;
    const auto* entry = rules.names.find(pair.key());
    if (entry != nullptr && entry->required) --required_left;
    if (!member(frame, rules, entry, index++)) {
      holds = false;
      if (!goes_on()) return false;
    }
  }
  return (required_left == 0 || missing(frame, rules)) && holds;
}

/// Checks one member against `properties`, `patternProperties`, `additionalProperties` and `propertyNames`.
bool Evaluator::member(const Frame& frame, const ObjectRules& rules, const NameTable::Entry* entry, std::size_t index) {
  const auto& pair = frame.value.get_object().begin()[static_cast<std::ptrdiff_t>(index)];
  const std::string_view name(pair.key());
  const InstancePath path{&frame.path, name};
  bool holds = rules.property_names == no_node || property_name(frame, rules.property_names, name);
  bool evaluated = false;
  const auto check = [&](NodeId node) {
    evaluated = true;
    if (!apply(node, pair.value(), path, &frame, nullptr)) holds = false;
    return holds || goes_on();
  };
  if (entry != nullptr && entry->node != no_node && !check(entry->node)) return false;
  for (const auto& [pattern, node] : rules.patterns) {
    if (!spend(search_cost(*pattern, name), path)) return false;
    if (matches(*pattern, name) && !check(node)) return false;
  }
  if (!evaluated && rules.additional != no_node) {
    evaluated = true;
    holds = additional(frame, rules.additional, name, pair.value()) && holds;
  }
  if (evaluated && frame.evaluated != nullptr) frame.evaluated->mark(index);
  return holds;
}

/// Checks a member that no other keyword covers.
bool Evaluator::additional(const Frame& frame, NodeId node, std::string_view name, const Value& value) {
  const InstancePath path{&frame.path, name};
  if (program_.nodes[node].verdict != Verdict::never) return apply(node, value, path, &frame, nullptr);
  return violate(path, [&] {
    std::vector<std::string_view> names;
    known_names(frame.node, names, 0);
    return fmt::format("is an unknown property{}", suggestion(name, names));
  });
}

bool Evaluator::missing(const Frame& frame, const ObjectRules& rules) {
  if (report_ == nullptr) return false;
  const auto& object = frame.value.get_object();
  for (const auto& entry : rules.names.entries()) {
    if (entry.required && !object.contains(entry.name)) {
      violate({&frame.path, entry.name}, [] { return "is required"; });
    }
  }
  return false;
}

bool Evaluator::property_name(const Frame& frame, NodeId node, std::string_view name) {
  unsigned char buffer[name_buffer];
  boost::json::monotonic_resource memory(buffer, sizeof buffer);
  const Value text(boost::json::string_view(name.data(), name.size()), &memory);
  if (report_ == nullptr) return apply(node, text, frame.path, &frame, nullptr);
  std::vector<Violation> reasons;
  {
    const auto aside = redirect(&reasons);
    if (apply(node, text, frame.path, &frame, nullptr)) return true;
  }
  for (const auto& reason : reasons) {
    violate(frame.path, [&] { return fmt::format("the property name {} {}", quoted_text(name), reason.reason); });
  }
  return false;
}

bool Evaluator::dependency(const Frame& frame, const Dependency& dependency) {
  const auto& object = frame.value.get_object();
  if (!spend(1 + dependency.required.size(), frame.path)) return false;
  if (!object.contains(dependency.trigger)) return true;
  bool holds = dependency.node == no_node || apply_here(dependency.node, frame);
  for (const auto& name : dependency.required) {
    if (object.contains(name)) continue;
    holds = violate({&frame.path, name},
                    [&] { return fmt::format("is required where {} is present", quoted_text(dependency.trigger)); });
  }
  return holds;
}

bool Evaluator::unevaluated_properties(const Frame& frame) {
  if (frame.node.unevaluated_properties == no_node) return true;
  bool holds = true;
  std::size_t index = 0;
  for (const auto& pair : frame.value.get_object()) {
    if (frame.evaluated->has(index++)) continue;
    if (additional(frame, frame.node.unevaluated_properties, pair.key(), pair.value())) continue;
    holds = false;
    if (!goes_on()) return false;
  }
  frame.evaluated->mark_all();
  return holds;
}

void Evaluator::known_names(const Node& node, std::vector<std::string_view>& names, int hops) const {
  constexpr std::size_t enough = 64;
  if (node.object) {
    for (const auto& entry : node.object->names.entries()) names.push_back(entry.name);
  }
  if (!node.logic || hops == max_hops || names.size() > enough) return;
  for (const auto* list : {&node.logic->all_of, &node.logic->any_of, &node.logic->one_of}) {
    for (const auto id : *list) {
      if (names.size() <= enough) known_names(program_.nodes[id], names, hops + 1);
    }
  }
}

}  // namespace fairlead::json::schema
