#include <fmt/format.h>

#include "json/schema/rules.hpp"
#include "json/schema/site.hpp"

namespace fairlead::json::schema::rules {

namespace {

Result<Target> resolved(const Site& site, const Value& value) {
  const auto reference = site.string_from(value);
  if (!reference) return std::unexpected(reference.error());
  auto target = site.compiler().registry().resolve(*reference, site.location());
  if (!target) {
    auto error = target.error();
    error.message = site.refuse(error.message).error().message;
    return std::unexpected(error);
  }
  if (!target->schema->is_object() && !target->schema->is_bool()) {
    return site.refuse(fmt::format("\"{}\" leads to what is no schema", *reference));
  }
  return target;
}

}  // namespace

Result<void> reference(Site& site, const Value& value) {
  const auto target = resolved(site, value);
  if (!target) return std::unexpected(target.error());
  site.logic().all_of.push_back(site.compiler().node_for(*target->schema));
  return {};
}

Result<void> dynamic_reference(Site& site, const Value& value) {
  const auto target = resolved(site, value);
  if (!target) return std::unexpected(target.error());
  DynamicReference reference{.initial = site.compiler().node_for(*target->schema)};
  // Without a $dynamicAnchor at its first stop it is a plain $ref.
  if (!target->dynamic_anchor.empty()) reference.anchor = site.compiler().anchor_index(target->dynamic_anchor);
  site.logic().dynamic.push_back(reference);
  return {};
}

/// Compiled even if nothing refers to them, so that a mistake in one is found now.
Result<void> definitions(Site& site, const Value& value) {
  const auto members = site.object_from(value);
  if (!members) return std::unexpected(members.error());
  for (const auto& member : **members) {
    if (const auto id = site.schema_at(member.value(), member.key()); !id) return std::unexpected(id.error());
  }
  return {};
}

Result<void> all_of(Site& site, const Value& value) {
  return site.schemas_into(site.logic().all_of, value);
}

Result<void> any_of(Site& site, const Value& value) {
  return site.schemas_into(site.logic().any_of, value);
}

Result<void> one_of(Site& site, const Value& value) {
  return site.schemas_into(site.logic().one_of, value);
}

Result<void> negation(Site& site, const Value& value) {
  return site.schema_into(site.logic().negated, value);
}

Result<void> condition(Site& site, const Value& value) {
  return site.schema_into(site.logic().condition, value);
}

Result<void> then(Site& site, const Value& value) {
  return site.schema_into(site.logic().then, value);
}

Result<void> otherwise(Site& site, const Value& value) {
  return site.schema_into(site.logic().otherwise, value);
}

}  // namespace fairlead::json::schema::rules
