#pragma once

#include <boost/json.hpp>
#include <fairlead/base/result.hpp>

namespace fairlead::json::schema {
class KeywordContext;
}

/// One function per keyword: validates the keyword's value and adds its rule to the schema being compiled.
namespace fairlead::json::schema::keyword_compilers {

using Value = boost::json::value;

Result<void> reference(KeywordContext& context, const Value& value);
Result<void> dynamic_reference(KeywordContext& context, const Value& value);
Result<void> definitions(KeywordContext& context, const Value& value);
Result<void> all_of(KeywordContext& context, const Value& value);
Result<void> any_of(KeywordContext& context, const Value& value);
Result<void> one_of(KeywordContext& context, const Value& value);
Result<void> negation(KeywordContext& context, const Value& value);
Result<void> condition(KeywordContext& context, const Value& value);
Result<void> then(KeywordContext& context, const Value& value);
Result<void> otherwise(KeywordContext& context, const Value& value);

Result<void> properties(KeywordContext& context, const Value& value);
Result<void> pattern_properties(KeywordContext& context, const Value& value);
Result<void> additional_properties(KeywordContext& context, const Value& value);
Result<void> property_names(KeywordContext& context, const Value& value);
Result<void> required(KeywordContext& context, const Value& value);
Result<void> min_properties(KeywordContext& context, const Value& value);
Result<void> max_properties(KeywordContext& context, const Value& value);
Result<void> dependencies(KeywordContext& context, const Value& value);
Result<void> dependent_schemas(KeywordContext& context, const Value& value);
Result<void> dependent_required(KeywordContext& context, const Value& value);
Result<void> unevaluated_properties(KeywordContext& context, const Value& value);

Result<void> prefix_items(KeywordContext& context, const Value& value);
Result<void> items(KeywordContext& context, const Value& value);
Result<void> items_or_tuple(KeywordContext& context, const Value& value);
Result<void> additional_items(KeywordContext& context, const Value& value);
Result<void> contains(KeywordContext& context, const Value& value);
Result<void> min_contains(KeywordContext& context, const Value& value);
Result<void> max_contains(KeywordContext& context, const Value& value);
Result<void> min_items(KeywordContext& context, const Value& value);
Result<void> max_items(KeywordContext& context, const Value& value);
Result<void> unique_items(KeywordContext& context, const Value& value);
Result<void> unevaluated_items(KeywordContext& context, const Value& value);

Result<void> type(KeywordContext& context, const Value& value);
Result<void> enumeration(KeywordContext& context, const Value& value);
Result<void> constant(KeywordContext& context, const Value& value);
Result<void> multiple_of(KeywordContext& context, const Value& value);
Result<void> minimum(KeywordContext& context, const Value& value);
Result<void> maximum(KeywordContext& context, const Value& value);
Result<void> exclusive_minimum(KeywordContext& context, const Value& value);
Result<void> exclusive_maximum(KeywordContext& context, const Value& value);
Result<void> min_length(KeywordContext& context, const Value& value);
Result<void> max_length(KeywordContext& context, const Value& value);
Result<void> pattern(KeywordContext& context, const Value& value);
Result<void> format(KeywordContext& context, const Value& value);

}  // namespace fairlead::json::schema::keyword_compilers
