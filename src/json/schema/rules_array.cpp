#include "json/schema/rules.hpp"
#include "json/schema/site.hpp"

namespace fairlead::json::schema::rules {

Result<void> prefix_items(Site& site, const Value& value) {
  return site.schemas_into(site.array().prefix, value);
}

Result<void> items(Site& site, const Value& value) {
  return site.schema_into(site.array().items, value);
}

Result<void> items_or_tuple(Site& site, const Value& value) {
  if (!value.is_array()) return items(site, value);
  return value.get_array().empty() ? Result<void>{} : prefix_items(site, value);
}

/// Speaks only of what a tuple leaves over.
Result<void> additional_items(Site& site, const Value& value) {
  const auto* tuple = site.sibling("items");
  if (tuple != nullptr && tuple->is_array()) return site.schema_into(site.array().items, value);
  NodeId unused = no_node;
  return site.schema_into(unused, value);
}

Result<void> contains(Site& site, const Value& value) {
  return site.schema_into(site.array().contains, value);
}

Result<void> min_contains(Site& site, const Value& value) {
  return site.count_into(site.array().min_contains, value);
}

Result<void> max_contains(Site& site, const Value& value) {
  return site.count_into(site.array().max_contains, value);
}

Result<void> min_items(Site& site, const Value& value) {
  return site.count_into(site.array().min_items, value);
}

Result<void> max_items(Site& site, const Value& value) {
  return site.count_into(site.array().max_items, value);
}

Result<void> unique_items(Site& site, const Value& value) {
  if (!value.is_bool()) return site.refuse("must be a boolean");
  site.array().unique = value.get_bool();
  return {};
}

Result<void> unevaluated_items(Site& site, const Value& value) {
  return site.schema_into(site.node.unevaluated_items, value);
}

}  // namespace fairlead::json::schema::rules
