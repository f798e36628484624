#include "transport/tool_call_schema.hpp"

#include <fairlead/json/schema.hpp>

namespace fairlead::transport {
namespace {

constexpr std::string_view request_schema = R"({
  "type": "object", "required": ["jsonrpc", "id", "method", "params"], "additionalProperties": false,
  "properties": {
    "jsonrpc": {"const": "2.0"},
    "id": {"anyOf": [{"type": "string", "minLength": 1}, {"type": "integer"}]},
    "method": {"const": "tools/call"},
    "params": {"type": "object", "required": ["name"], "additionalProperties": false, "properties": {
      "name": {"type": "string", "minLength": 1}, "arguments": {"type": "object"}}}}})";

constexpr std::string_view response_schema = R"({
  "type": "object", "required": ["jsonrpc", "id", "result"], "additionalProperties": false,
  "properties": {
    "jsonrpc": {"const": "2.0"},
    "id": {"anyOf": [{"type": "string", "minLength": 1}, {"type": "integer"}]},
    "result": {"type": "object", "required": ["content"], "additionalProperties": false, "properties": {
      "content": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["type"], "properties": {
        "type": {"type": "string", "minLength": 1}, "text": {"type": "string"}}}},
      "isError": {"type": "boolean"}, "structuredContent": {"type": "object"}, "_meta": {"type": "object"}}}}})";

constexpr std::string_view error_schema = R"({
  "type": "object", "required": ["jsonrpc", "id", "error"], "additionalProperties": false,
  "properties": {
    "jsonrpc": {"const": "2.0"},
    "id": {"anyOf": [{"type": "string", "minLength": 1}, {"type": "integer"}, {"type": "null"}]},
    "error": {"type": "object", "required": ["code", "message"], "properties": {
      "code": {"type": "integer"}, "message": {"type": "string", "minLength": 1}}}}})";

Result<void> check(const json::Schema& schema, std::string_view text, std::string_view what) {
  const auto violations = schema.validate(text);
  if (violations.empty()) return {};
  auto message = "not a " + std::string(what);
  char before = ':';
  for (const auto& violation : violations) {
    message += before + (' ' + json::to_string(violation));
    before = ';';
  }
  return fail(ErrorKind::malformed, std::move(message));
}

}  // namespace

Result<void> check_tool_request(std::string_view text) {
  static const auto schema = json::Schema::compile(request_schema).value();
  return check(schema, text, "tool request");
}

Result<void> check_tool_response(std::string_view text) {
  static const auto schema = json::Schema::compile(response_schema).value();
  return check(schema, text, "tool response");
}

Result<void> check_tool_error(std::string_view text) {
  static const auto schema = json::Schema::compile(error_schema).value();
  return check(schema, text, "tool error");
}

}  // namespace fairlead::transport
