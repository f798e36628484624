#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "json/schema/number.hpp"

namespace fairlead::json::schema {

/// One step from the whole value to a part of it, in a chain that lives on the stack of the evaluation.
struct Place {
  static constexpr std::size_t by_name = std::numeric_limits<std::size_t>::max();

  const Place* parent = nullptr;
  std::string_view name = {};
  std::size_t index = by_name;
};

/// As in `items[2].name`.
std::string path_of(const Place& place);

/// `a string`, `an integer`.
std::string_view type_name(const boost::json::value& value);

/// `a string, a number or null`, for a set of type bits.
std::string type_names(std::uint8_t types);

/// 0 for a name that is no type's.
std::uint8_t type_named(std::string_view name);

/// The set of types that the value has.
std::uint8_t types_of(const boost::json::value& value);

/// JSON text of the value, cut to a length that a message can bear.
std::string shown(const boost::json::value& value);
std::string shown(const Number& number);
std::string in_quotes(std::string_view text);

/// `; did you mean "name"? known are "name", "size"`, or nothing where there are no names.
std::string suggestion(std::string_view unknown, const std::vector<std::string_view>& known);

std::string joined(const std::vector<std::string>& parts, std::string_view last_separator);

}  // namespace fairlead::json::schema
