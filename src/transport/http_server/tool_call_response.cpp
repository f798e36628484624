#include "transport/http_server/tool_call_response.hpp"

#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <utility>

#include "transport/tool_call_schema.hpp"

namespace fairlead::transport {
namespace {

using protocol::protocol_error;
using protocol::ProtocolError;

jsonrpc::ErrorResponse to_error_response(const Error& error, std::optional<jsonrpc::Id> id) {
  auto lowered = protocol::encode_error(error, protocol::newest_handshake());
  return {std::move(id), std::move(std::get<protocol::WireError>(lowered).error)};
}

bool has_elements(std::string_view array) {
  if (!array.starts_with('[')) return false;
  json::Reader reader(array);
  reader.open();
  return reader.more();
}

json::Payload conforming_result(std::string_view result) {
  std::string text;
  {
    json::ObjectWriter writer(text);
    const auto content = json::member_of(result, "content");
    const bool empty = !has_elements(content);
    writer.raw("content", empty ? R"([{"type":"text","text":""}])" : content);
    for (const std::string_view name : {"isError", "structuredContent", "_meta"}) {
      const auto value = json::member_of(result, name);
      const bool fits = name == "isError" ? !value.empty() : value.starts_with('{');
      if (fits) writer.raw(name, value);
    }
  }
  return json::Payload::trusted(std::move(text));
}

}  // namespace

std::expected<jsonrpc::Request, jsonrpc::ErrorResponse> read_tool_call(std::string text) {
  auto incoming = jsonrpc::read(std::move(text));
  if (!incoming) return std::unexpected(std::move(incoming.error()));
  auto* message = std::get_if<jsonrpc::Message>(&*incoming);
  auto* call = message ? std::get_if<jsonrpc::Request>(message) : nullptr;
  if (!call) {
    return std::unexpected(
        to_error_response(protocol_error(ProtocolError::invalid_request, "send one tools/call request"), {}));
  }
  if (call->method != protocol::CallTool::method) {
    return std::unexpected(
        to_error_response(protocol_error(ProtocolError::unknown_method, "", call->method), call->id));
  }
  json::ObjectEdit params(call->params.text());
  if (params.erase("_meta").changed()) {
    call->params = json::Payload::trusted(params.text());
    call->param_spans = jsonrpc::locate_params(call->params);
  }
  if (auto fits = check_tool_request(jsonrpc::write(*message)); !fits) {
    return std::unexpected(
        to_error_response(protocol_error(ProtocolError::invalid_params, fits.error().message), call->id));
  }
  return std::move(*call);
}

jsonrpc::Message make_tool_response(jsonrpc::Message answer) {
  auto* response = std::get_if<jsonrpc::Response>(&answer);
  if (!response) return answer;
  jsonrpc::Message whole = jsonrpc::Response{
      .id = response->id, .result = conforming_result(response->result.text()), .headers = response->headers};
  if (auto fits = check_tool_response(jsonrpc::write(whole)); !fits) {
    return jsonrpc::ErrorResponse{
        response->id,
        {.code = jsonrpc::code::internal_error, .message = "the tool's result is " + fits.error().message}};
  }
  return whole;
}

std::uint16_t tool_status(const jsonrpc::Message& answer) {
  const auto* error = std::get_if<jsonrpc::ErrorResponse>(&answer);
  if (!error) return 200;
  constexpr std::int64_t request_timeout = 408;
  if (error->error.code == request_timeout) return 504;
  const auto fault = protocol::decode_error(error->error, protocol::newest_handshake());
  return static_cast<std::uint16_t>(protocol::tool_http_status(protocol_error(fault, "")));
}

std::vector<std::string> tool_fragments(const jsonrpc::Response& response) {
  std::vector<std::string> fragments;
  const auto content = json::member_of(response.result.text(), "content");
  json::Reader reader(content);
  for (reader.open(); reader.more();) fragments.push_back(R"({"content":[)" + std::string(reader.skip()) + "]}");
  return fragments;
}

}  // namespace fairlead::transport
