#pragma once

#include <boost/json/value.hpp>
#include <string_view>

/// Access to a JSON document of unknown shape: a missing member, or one of another type, is null or empty.
namespace fairlead::answer {

const boost::json::value* member_at(const boost::json::value& value, std::string_view name);
std::string_view text_at(const boost::json::value& value, std::string_view name);
const boost::json::array* list_at(const boost::json::value& value, std::string_view name);

}  // namespace fairlead::answer
