#pragma once

#include <fairlead/json/schema.hpp>
#include <gmock/gmock.h>
#include <string>
#include <string_view>
#include <vector>

/// The three closed JSON schemas of tool calls, equal on every transport.
namespace fairlead::test {

constexpr std::string_view tool_request_schema = R"({
  "type": "object", "required": ["jsonrpc", "id", "method", "params"], "additionalProperties": false,
  "properties": {
    "jsonrpc": {"const": "2.0"},
    "id": {"anyOf": [{"type": "string", "minLength": 1}, {"type": "integer"}]},
    "method": {"const": "tools/call"},
    "params": {"type": "object", "required": ["name"], "additionalProperties": false, "properties": {
      "name": {"type": "string", "minLength": 1}, "arguments": {"type": "object"}}}}})";

constexpr std::string_view tool_response_schema = R"({
  "type": "object", "required": ["jsonrpc", "id", "result"], "additionalProperties": false,
  "properties": {
    "jsonrpc": {"const": "2.0"},
    "id": {"anyOf": [{"type": "string", "minLength": 1}, {"type": "integer"}]},
    "result": {"type": "object", "required": ["content"], "additionalProperties": false, "properties": {
      "content": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["type"], "properties": {
        "type": {"type": "string", "minLength": 1}, "text": {"type": "string"}}}},
      "isError": {"type": "boolean"}, "structuredContent": {"type": "object"}, "_meta": {"type": "object"}}}}})";

constexpr std::string_view tool_error_schema = R"({
  "type": "object", "required": ["jsonrpc", "id", "error"], "additionalProperties": false,
  "properties": {
    "jsonrpc": {"const": "2.0"},
    "id": {"anyOf": [{"type": "string", "minLength": 1}, {"type": "integer"}]},
    "error": {"type": "object", "required": ["code", "message"], "properties": {
      "code": {"type": "integer"}, "message": {"type": "string", "minLength": 1}}}}})";

/// The schema violations as text; empty if valid.
inline std::string violations(std::string_view schema, std::string_view text) {
  std::string all;
  for (const auto& violation : json::Schema::compile(schema).value().validate(text)) {
    all += json::to_string(violation) + "; ";
  }
  return all;
}

MATCHER(IsToolRequest, "is a tool request") {
  *result_listener << violations(tool_request_schema, arg);
  return violations(tool_request_schema, arg).empty();
}
MATCHER(IsToolResponse, "is a tool response") {
  *result_listener << violations(tool_response_schema, arg);
  return violations(tool_response_schema, arg).empty();
}
MATCHER(IsToolError, "is a tool error") {
  *result_listener << violations(tool_error_schema, arg);
  return violations(tool_error_schema, arg).empty();
}

}  // namespace fairlead::test
