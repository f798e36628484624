#include "json/schema/keyword_compilers.hpp"
#include "json/schema/keyword_context.hpp"

namespace fairlead::json::schema::keyword_compilers {

Result<void> items_or_tuple(KeywordContext& context, const Value& value) {
  if (!value.is_array()) return context.set(&ArrayRules::items, value);
  return value.get_array().empty() ? Result<void>{} : context.set(&ArrayRules::prefix, value);
}

/// Applies only to items after those of a tuple.
Result<void> additional_items(KeywordContext& context, const Value& value) {
  const auto* tuple = context.sibling("items");
  if (tuple != nullptr && tuple->is_array()) return context.set(&ArrayRules::items, value);
  NodeId unused = no_node;
  return context.read_into(unused, value);
}

}  // namespace fairlead::json::schema::keyword_compilers
