#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "json/schema/number.hpp"

namespace fairlead::json::schema {

/// One step of the path from the whole value to a part of it. Each evaluation keeps its step on the stack.
struct InstancePath {
  static constexpr std::size_t by_name = std::numeric_limits<std::size_t>::max();

  const InstancePath* parent = nullptr;
  std::string_view name = {};
  std::size_t index = by_name;
};

/// The path as text: `items[2].name`.
std::string path_of(const InstancePath& path);

/// `a string`, `an integer`.
std::string_view type_name(const boost::json::value& value);

/// `a string, a number or null`, for a set of type bits.
std::string type_names(std::uint8_t types);

/// The bit of a type name; 0 for an unknown name.
std::uint8_t type_named(std::string_view name);

/// The set of types of a value.
std::uint8_t types_of(const boost::json::value& value);

/// The JSON text of the value, truncated for a message.
std::string json_excerpt(const boost::json::value& value);
std::string json_excerpt(const Number& number);
std::string quoted_text(std::string_view text);

/// `; did you mean "name"? known properties: "name", "size"`, or empty if there are no names.
std::string suggestion(std::string_view unknown, const std::vector<std::string_view>& known);

std::string joined(const std::vector<std::string>& parts, std::string_view last_separator);

}  // namespace fairlead::json::schema
