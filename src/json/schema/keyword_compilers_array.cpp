#include "json/schema/keyword_compilers.hpp"
#include "json/schema/keyword_context.hpp"

namespace fairlead::json::schema::keyword_compilers {

Result<void> prefix_items(KeywordContext& context, const Value& value) {
  return context.schemas_into(context.array().prefix, value);
}

Result<void> items(KeywordContext& context, const Value& value) {
  return context.schema_into(context.array().items, value);
}

Result<void> items_or_tuple(KeywordContext& context, const Value& value) {
  if (!value.is_array()) return items(context, value);
  return value.get_array().empty() ? Result<void>{} : prefix_items(context, value);
}

/// Applies only to items after those of a tuple.
Result<void> additional_items(KeywordContext& context, const Value& value) {
  const auto* tuple = context.sibling("items");
  if (tuple != nullptr && tuple->is_array()) return context.schema_into(context.array().items, value);
  NodeId unused = no_node;
  return context.schema_into(unused, value);
}

Result<void> contains(KeywordContext& context, const Value& value) {
  return context.schema_into(context.array().contains, value);
}

Result<void> min_contains(KeywordContext& context, const Value& value) {
  return context.count_into(context.array().min_contains, value);
}

Result<void> max_contains(KeywordContext& context, const Value& value) {
  return context.count_into(context.array().max_contains, value);
}

Result<void> min_items(KeywordContext& context, const Value& value) {
  return context.count_into(context.array().min_items, value);
}

Result<void> max_items(KeywordContext& context, const Value& value) {
  return context.count_into(context.array().max_items, value);
}

Result<void> unique_items(KeywordContext& context, const Value& value) {
  if (!value.is_bool()) return context.refuse("must be a boolean");
  context.array().unique = value.get_bool();
  return {};
}

Result<void> unevaluated_items(KeywordContext& context, const Value& value) {
  return context.schema_into(context.node.unevaluated_items, value);
}

}  // namespace fairlead::json::schema::keyword_compilers
