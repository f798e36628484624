#pragma once

#include <cstdint>
#include <fairlead/base/result.hpp>
#include <string_view>

#include "json/schema/dialect.hpp"

namespace fairlead::json::schema {

class Site;

/// Where the schemas are in a keyword's value.
enum class Shape : std::uint8_t {
  none,
  one,          ///< The value is a schema.
  list,         ///< An array of schemas.
  one_or_list,  ///< Either, as draft-07's `items`.
  map,          ///< An object whose members are schemas; those that are arrays hold names, as in `dependencies`.
};

struct Keyword {
  std::string_view name;
  std::uint8_t drafts;
  std::uint8_t vocabulary;
  Shape shape;
  /// Adds the keyword's rule to the schema being compiled; null for a keyword that only holds schemas.
  Result<void> (*compile)(Site& site, const boost::json::value& value);
};

/// Null for a keyword that the dialect does not know.
const Keyword* find_keyword(std::string_view name, const Dialect& dialect);

}  // namespace fairlead::json::schema
