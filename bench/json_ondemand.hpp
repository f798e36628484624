#pragma once

#include <simdjson.h>

#include "json_messages.hpp"

/// Decodes the fields by hand with simdjson's on-demand interface, for comparison with our codec.
namespace fairlead::bench {

inline std::string text_of(simdjson::ondemand::value value) {
  return std::string(std::string_view(value.get_string()));
}

inline Call read_call(simdjson::ondemand::document& document) {
  Call call;
  auto root = document.get_object();
  call.jsonrpc = text_of(root["jsonrpc"]);
  call.id = static_cast<int>(root["id"].get_int64());
  call.method = text_of(root["method"]);
  auto params = root["params"].get_object();
  call.params.name = text_of(params["name"]);
  auto arguments = params["arguments"].get_object();
  call.params.arguments.city = text_of(arguments["city"]);
  call.params.arguments.days = static_cast<int>(arguments["days"].get_int64());
  call.params.arguments.units = text_of(arguments["units"]);
  call.params.arguments.detail = arguments["detail"].get_bool();
  return call;
}

inline InputSchema read_schema(simdjson::ondemand::object object) {
  InputSchema schema;
  schema.type = text_of(object["type"]);
  for (auto field : object["properties"].get_object()) {
    const std::string_view name = field.unescaped_key();
    auto property = field.value().get_object();
    auto& place = schema.properties[std::string(name)];
    place.type = text_of(property["type"]);
    place.description = text_of(property["description"]);
  }
  for (auto name : object["required"].get_array()) schema.required.push_back(text_of(name.value()));
  return schema;
}

inline ListResult read_list(simdjson::ondemand::document& document) {
  ListResult list;
  auto root = document.get_object();
  list.jsonrpc = text_of(root["jsonrpc"]);
  list.id = static_cast<int>(root["id"].get_int64());
  for (auto element : root["result"]["tools"].get_array()) {
    auto object = element.get_object();
    Tool tool;
    tool.name = text_of(object["name"]);
    tool.title = text_of(object["title"]);
    tool.description = text_of(object["description"]);
    tool.inputSchema = read_schema(object["inputSchema"].get_object());
    list.result.tools.push_back(std::move(tool));
  }
  return list;
}

}  // namespace fairlead::bench
