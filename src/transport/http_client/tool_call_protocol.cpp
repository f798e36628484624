#include "transport/http_client/tool_call_protocol.hpp"

#include <boost/json.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/dom.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/revision.hpp>

namespace fairlead::transport {

std::optional<jsonrpc::Message> answer_for_tool_server(const jsonrpc::Request& request, const std::string& peer) {
  if (request.method == protocol::CallTool::method) return std::nullopt;
  if (request.method == protocol::Initialize::method) {
    protocol::InitializeResult result;
    result.protocolVersion = protocol::newest_handshake().name;
    result.capabilities.tools.emplace();
    result.serverInfo = {.name = peer, .title = {}, .version = "0"};
    return jsonrpc::Response{.id = request.id, .result = json::to_payload(result)};
  }
  if (request.method == protocol::Ping::method) {
    return jsonrpc::Response{.id = request.id, .result = json::Payload::trusted("{}")};
  }
  return jsonrpc::ErrorResponse{.id = request.id,
                                .error = {.code = jsonrpc::code::method_not_found,
                                          .message = "this server supports only tool calls, not " + request.method}};
}

jsonrpc::Request minimal_call(const jsonrpc::Request& call) {
  json::ObjectEdit bare("{}");
  for (const auto name : {"name", "arguments"}) {
    if (const auto value = json::member_of(call.params.text(), name); !value.empty()) {
      bare.set(name, std::string(value));
    }
  }
  return {.id = call.id, .method = call.method, .params = json::Payload::trusted(bare.text())};
}

std::string call_frame(const jsonrpc::Request& call) {
  const auto bare = minimal_call(call);
  json::ObjectEdit params(bare.params.text());
  json::ObjectEdit frame("{}");
  frame.set("id", call.id.to_json());
  for (const auto name : {"name", "arguments"}) {
    if (const auto value = params.get(name); !value.empty()) frame.set(name, std::string(value));
  }
  return frame.text();
}

bool ToolResultAssembler::add(std::string_view fragment) {
  const auto value = json::parse_dom(fragment);
  const auto* object = value.if_object();
  if (!object) return false;
  if (const auto* content = object->if_contains("content")) {
    if (!content->is_array()) return false;
    for (const auto& block : content->get_array()) content_.push_back(json::encode(block));
  }
  json::ObjectEdit rest(rest_);
  for (const auto& [name, member] : *object) {
    if (name != "content") rest.set(std::string(name), json::encode(boost::json::value(member)));
  }
  rest_ = rest.text();
  any_ = true;
  return true;
}

std::optional<std::string> ToolResultAssembler::response(const jsonrpc::Id& id) const {
  if (!any_) return std::nullopt;
  std::string content = "[";
  for (const auto& block : content_) content += (content.size() > 1 ? "," : "") + block;
  json::ObjectEdit result(rest_);
  result.set("content", content + "]");
  return jsonrpc::write(jsonrpc::Response{.id = id, .result = json::Payload::trusted(result.text())});
}

}  // namespace fairlead::transport
