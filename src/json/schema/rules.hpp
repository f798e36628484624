#pragma once

#include <boost/json.hpp>
#include <fairlead/base/result.hpp>

namespace fairlead::json::schema {
class Site;
}

/// One function a keyword: checks the keyword's value and adds its rule to the schema being compiled.
namespace fairlead::json::schema::rules {

using Value = boost::json::value;

Result<void> reference(Site& site, const Value& value);
Result<void> dynamic_reference(Site& site, const Value& value);
Result<void> definitions(Site& site, const Value& value);
Result<void> all_of(Site& site, const Value& value);
Result<void> any_of(Site& site, const Value& value);
Result<void> one_of(Site& site, const Value& value);
Result<void> negation(Site& site, const Value& value);
Result<void> condition(Site& site, const Value& value);
Result<void> then(Site& site, const Value& value);
Result<void> otherwise(Site& site, const Value& value);

Result<void> properties(Site& site, const Value& value);
Result<void> pattern_properties(Site& site, const Value& value);
Result<void> additional_properties(Site& site, const Value& value);
Result<void> property_names(Site& site, const Value& value);
Result<void> required(Site& site, const Value& value);
Result<void> min_properties(Site& site, const Value& value);
Result<void> max_properties(Site& site, const Value& value);
Result<void> dependencies(Site& site, const Value& value);
Result<void> dependent_schemas(Site& site, const Value& value);
Result<void> dependent_required(Site& site, const Value& value);
Result<void> unevaluated_properties(Site& site, const Value& value);

Result<void> prefix_items(Site& site, const Value& value);
Result<void> items(Site& site, const Value& value);
Result<void> items_or_tuple(Site& site, const Value& value);
Result<void> additional_items(Site& site, const Value& value);
Result<void> contains(Site& site, const Value& value);
Result<void> min_contains(Site& site, const Value& value);
Result<void> max_contains(Site& site, const Value& value);
Result<void> min_items(Site& site, const Value& value);
Result<void> max_items(Site& site, const Value& value);
Result<void> unique_items(Site& site, const Value& value);
Result<void> unevaluated_items(Site& site, const Value& value);

Result<void> type(Site& site, const Value& value);
Result<void> enumeration(Site& site, const Value& value);
Result<void> constant(Site& site, const Value& value);
Result<void> multiple_of(Site& site, const Value& value);
Result<void> minimum(Site& site, const Value& value);
Result<void> maximum(Site& site, const Value& value);
Result<void> exclusive_minimum(Site& site, const Value& value);
Result<void> exclusive_maximum(Site& site, const Value& value);
Result<void> min_length(Site& site, const Value& value);
Result<void> max_length(Site& site, const Value& value);
Result<void> pattern(Site& site, const Value& value);
Result<void> format(Site& site, const Value& value);

}  // namespace fairlead::json::schema::rules
