#pragma once

#include <cstdint>
#include <expected>
#include <fairlead/jsonrpc/message.hpp>
#include <string>
#include <string_view>
#include <vector>

/// Tool calls and their answers as the closed schemas want them.
namespace fairlead::transport {

/// The call without what its schema does not know and others may have added; or what its sender should be told.
std::expected<jsonrpc::Request, jsonrpc::ErrorResponse> read_tool_call(std::string text);

/// The answer with what its schema asks for, and without the rest. A result that cannot be put right becomes an error.
jsonrpc::Message tool_answer(jsonrpc::Message answer);

/// HTTP's word for an error.
std::uint16_t tool_status(const jsonrpc::Message& answer);

/// The blocks of a result's content, each as a result of its own.
std::vector<std::string> tool_fragments(const jsonrpc::Response& response);

}  // namespace fairlead::transport
