#pragma once

#include <boost/json/value.hpp>
#include <string_view>

/// Looks into a document that may hold anything: what is not there, or of another kind, is nothing.
namespace fairlead::answer {

const boost::json::value* member_at(const boost::json::value& value, std::string_view name);
std::string_view text_at(const boost::json::value& value, std::string_view name);
const boost::json::array* list_at(const boost::json::value& value, std::string_view name);

}  // namespace fairlead::answer
