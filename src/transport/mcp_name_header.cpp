#include "transport/mcp_name_header.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/headers.hpp>

namespace fairlead::transport {

std::optional<std::string> mcp_name_header(std::string_view method, const json::Payload& params,
                                           const jsonrpc::ParamSpans& param_spans) {
  const auto member = protocol::mcp_name_member(method);
  if (!member) return std::nullopt;
  if (*member == "name") return jsonrpc::string_at(params, param_spans.name);
  if (*member == "uri") return jsonrpc::string_at(params, param_spans.uri);
  auto name = json::decode<std::string>(json::member_of(params.text(), *member));
  return name ? std::optional(std::move(*name)) : std::nullopt;
}

}  // namespace fairlead::transport
