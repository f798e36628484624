#pragma once

#include <fairlead/base/result.hpp>
#include <string_view>

/// The closed JSON schemas of tool-call transports.
namespace fairlead::transport {

// `malformed`, with all violations, for a text that does not match its schema.
Result<void> check_tool_request(std::string_view text);
Result<void> check_tool_response(std::string_view text);
Result<void> check_tool_error(std::string_view text);

}  // namespace fairlead::transport
