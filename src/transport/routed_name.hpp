#pragma once

#include <fairlead/jsonrpc/message.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::transport {

/// What `Mcp-Name` says of a request: the tool, the resource or the task that it is about; nothing where it names none.
std::optional<std::string> routed_name(std::string_view method, const json::Payload& params,
                                       const jsonrpc::Landmarks& landmarks);

}  // namespace fairlead::transport
