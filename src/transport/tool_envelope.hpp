#pragma once

#include <fairlead/base/result.hpp>
#include <string_view>

/// The closed schemas of transports that carry tool calls and nothing else.
namespace fairlead::transport {

// `malformed`, and everything that is wrong, for a text that breaks its schema.
Result<void> check_tool_request(std::string_view text);
Result<void> check_tool_response(std::string_view text);
Result<void> check_tool_error(std::string_view text);

}  // namespace fairlead::transport
