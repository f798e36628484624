#pragma once

#include <boost/json.hpp>
#include <fairlead/base/result.hpp>

namespace fairlead::json::schema {
class KeywordContext;
}

/// One function per keyword: validates the keyword's value and adds its rule to the schema being compiled.
namespace fairlead::json::schema::keyword_compilers {

using Value = boost::json::value;

using Compile = Result<void>(KeywordContext& context, const Value& value);

Compile reference, dynamic_reference, definitions, all_of, any_of, one_of, negation, condition, then, otherwise;
Compile properties, pattern_properties, additional_properties, property_names, required, min_properties, max_properties,
    dependencies, dependent_schemas, dependent_required, unevaluated_properties;
Compile prefix_items, items, items_or_tuple, additional_items, contains, min_contains, max_contains, min_items,
    max_items, unique_items, unevaluated_items;
Compile type, enumeration, constant, multiple_of, minimum, maximum, exclusive_minimum, exclusive_maximum, min_length,
    max_length, pattern, format;

}  // namespace fairlead::json::schema::keyword_compilers
