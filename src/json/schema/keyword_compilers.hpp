#pragma once

#include <boost/json.hpp>
#include <fairlead/base/result.hpp>

namespace fairlead::json::schema {
class KeywordContext;
}

/// The keywords that need a function of their own: it validates the keyword's value and adds its rule to the schema
/// being compiled.
namespace fairlead::json::schema::keyword_compilers {

using Value = boost::json::value;

using Compile = Result<void>(KeywordContext& context, const Value& value);

Compile reference, dynamic_reference, definitions;
Compile properties, pattern_properties, required, dependencies, dependent_schemas, dependent_required;
Compile items_or_tuple, additional_items;
Compile type, enumeration, constant, multiple_of, pattern, format;

}  // namespace fairlead::json::schema::keyword_compilers
