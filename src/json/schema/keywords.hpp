#pragma once

#include "json/schema/dialect.hpp"

namespace fairlead::json::schema {

class KeywordContext;

/// Where a keyword's value contains schemas.
enum class SubschemaKind : std::uint8_t {
  none,
  one,          ///< The value is a schema.
  list,         ///< An array of schemas.
  one_or_list,  ///< A schema or an array of schemas: `items` of draft-07.
  map,          ///< An object of schemas; array members hold names, as in `dependencies`.
};

struct Keyword {
  std::string_view name;
  std::uint8_t drafts;
  std::uint8_t vocabulary;
  SubschemaKind subschemas;
  /// Adds the keyword's rule to the schema being compiled; null for a keyword that only contains schemas.
  Result<void> (*compile)(KeywordContext& context, const boost::json::value& value);
};

/// Returns null for a keyword that the dialect does not define.
const Keyword* find_keyword(std::string_view name, const Dialect& dialect);

}  // namespace fairlead::json::schema
