#include <fmt/format.h>

#include "json/schema/rules.hpp"
#include "json/schema/site.hpp"

namespace fairlead::json::schema::rules {

namespace {

/// Calls `add(name, value)` for each member of the keyword's object until one fails.
template <class Add>
Result<void> each_member(const Site& site, const Value& value, Add add) {
  const auto members = site.object_from(value);
  if (!members) return std::unexpected(members.error());
  for (const auto& member : **members) {
    if (const Result<void> done = add(std::string_view(member.key()), member.value()); !done) return done;
  }
  return {};
}

Result<void> add_dependent_names(Site& site, std::string_view name, const Value& value) {
  auto names = site.names_from(value, name);
  if (!names) return std::unexpected(names.error());
  site.object().dependencies.push_back({.trigger = std::string(name), .required = std::move(*names)});
  return {};
}

Result<void> add_dependent_schema(Site& site, std::string_view name, const Value& value) {
  const auto id = site.schema_at(value, name);
  if (!id) return std::unexpected(id.error());
  site.object().dependencies.push_back({.trigger = std::string(name), .node = *id});
  return {};
}

}  // namespace

Result<void> properties(Site& site, const Value& value) {
  return each_member(site, value, [&](std::string_view name, const Value& schema) -> Result<void> {
    const auto id = site.schema_at(schema, name);
    if (!id) return std::unexpected(id.error());
    site.object().names.add({.name = std::string(name), .node = *id});
    return {};
  });
}

Result<void> pattern_properties(Site& site, const Value& value) {
  return each_member(site, value, [&](std::string_view name, const Value& schema) -> Result<void> {
    auto pattern = site.compiler().pattern(name);
    if (!pattern) return site.refuse(pattern.error().message);
    const auto id = site.schema_at(schema, name);
    if (!id) return std::unexpected(id.error());
    site.object().patterns.push_back({std::move(*pattern), *id});
    return {};
  });
}

Result<void> additional_properties(Site& site, const Value& value) {
  return site.schema_into(site.object().additional, value);
}

Result<void> property_names(Site& site, const Value& value) {
  return site.schema_into(site.object().property_names, value);
}

Result<void> required(Site& site, const Value& value) {
  auto names = site.names_from(value);
  if (!names) return std::unexpected(names.error());
  for (auto& name : *names) site.object().names.add({.name = std::move(name), .required = true});
  return {};
}

Result<void> min_properties(Site& site, const Value& value) {
  return site.count_into(site.object().min_properties, value);
}

Result<void> max_properties(Site& site, const Value& value) {
  return site.count_into(site.object().max_properties, value);
}

Result<void> dependencies(Site& site, const Value& value) {
  return each_member(site, value, [&](std::string_view name, const Value& dependent) {
    return dependent.is_array() ? add_dependent_names(site, name, dependent)
                                : add_dependent_schema(site, name, dependent);
  });
}

Result<void> dependent_schemas(Site& site, const Value& value) {
  return each_member(site, value, [&](std::string_view name, const Value& schema) {
    return add_dependent_schema(site, name, schema);
  });
}

Result<void> dependent_required(Site& site, const Value& value) {
  return each_member(site, value,
                     [&](std::string_view name, const Value& names) { return add_dependent_names(site, name, names); });
}

Result<void> unevaluated_properties(Site& site, const Value& value) {
  return site.schema_into(site.node.unevaluated_properties, value);
}

}  // namespace fairlead::json::schema::rules
