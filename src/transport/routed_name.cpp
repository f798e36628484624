#include "transport/routed_name.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/headers.hpp>
#include <utility>

namespace fairlead::transport {

std::optional<std::string> routed_name(std::string_view method, const json::Payload& params,
                                       const jsonrpc::Landmarks& landmarks) {
  const auto member = protocol::routed_member(method);
  if (!member) return std::nullopt;
  if (*member == "name") return jsonrpc::text_at(params, landmarks.name);
  if (*member == "uri") return jsonrpc::text_at(params, landmarks.uri);
  auto name = json::decode<std::string>(json::member_of(params.text(), *member));
  return name ? std::optional(std::move(*name)) : std::nullopt;
}

}  // namespace fairlead::transport
