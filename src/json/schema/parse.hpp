#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <fairlead/base/result.hpp>
#include <string_view>

namespace fairlead::json::schema {

/// Parses untrusted JSON text. The error contains the position.
Result<boost::json::value> parse_json(std::string_view text, std::size_t max_depth);

}  // namespace fairlead::json::schema
