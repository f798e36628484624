#pragma once

#include <fairlead/jsonrpc/message.hpp>
#include <string_view>

namespace fairlead::transport {

/// Value of the `Mcp-Name` header: name of the tool, resource or task of a request; nothing if it has none.
std::optional<std::string> mcp_name_header(std::string_view method, const json::Payload& params,
                                           const jsonrpc::ParamSpans& param_spans);

}  // namespace fairlead::transport
