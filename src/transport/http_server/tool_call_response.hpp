#pragma once

#include <expected>
#include <fairlead/jsonrpc/message.hpp>

/// Tool calls and responses of the closed JSON schemas.
namespace fairlead::transport {

/// Parses a tool call and removes members that its schema does not allow; or returns the error response.
std::expected<jsonrpc::Request, jsonrpc::ErrorResponse> read_tool_call(std::string text);

/// Converts a response to its schema. A result that cannot be converted becomes an error.
jsonrpc::Message make_tool_response(jsonrpc::Message answer);

/// HTTP status of a response.
std::uint16_t tool_status(const jsonrpc::Message& answer);

/// Splits a result: one result per content block.
std::vector<std::string> tool_fragments(const jsonrpc::Response& response);

}  // namespace fairlead::transport
