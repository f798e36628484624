#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

/// Messages in three sizes, and the structs that they are decoded into.
namespace fairlead::bench {

struct Arguments {
  std::string city;
  int days = 0;
  std::string units;
  bool detail = false;
};
struct CallParams {
  std::string name;
  Arguments arguments;
};
struct Call {
  std::string jsonrpc;
  int id = 0;
  std::string method;
  CallParams params;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Arguments, city, days, units, detail)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CallParams, name, arguments)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Call, jsonrpc, id, method, params)

struct Property {
  std::string type;
  std::string description;
};
struct InputSchema {
  std::string type;
  std::map<std::string, Property> properties;
  std::vector<std::string> required;
};
struct Tool {
  std::string name;
  std::string title;
  std::string description;
  InputSchema inputSchema;
};
struct Tools {
  std::vector<Tool> tools;
};
struct ListResult {
  std::string jsonrpc;
  int id = 0;
  Tools result;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Property, type, description)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(InputSchema, type, properties, required)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Tool, name, title, description, inputSchema)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Tools, tools)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ListResult, jsonrpc, id, result)

inline std::string call_message() {
  return R"({"jsonrpc":"2.0","id":42,"method":"tools/call","params":{"name":"get_weather","arguments":)"
         R"({"city":"Zürich","days":3,"units":"metric","detail":true},"_meta":{"progressToken":"call-42"}}})";
}

inline std::string tool_text(int number) {
  const std::string n = std::to_string(number);
  return R"({"name":"search_documents_)" + n + R"(","title":"Search documents )" + n +
         R"(","description":"Finds the documents that match a query.\nReturns at most \"limit\" of them, best first.",)"
         R"("inputSchema":{"type":"object","properties":{"query":{"type":"string","description":"What to look for"},)"
         R"("limit":{"type":"integer","description":"How many to return"}},"required":["query"]}})";
}

inline std::string list_message(int tools) {
  std::string text = R"({"jsonrpc":"2.0","id":7,"result":{"tools":[)";
  for (int i = 0; i < tools; ++i) text += (i == 0 ? "" : ",") + tool_text(i);
  return text + "]}}";
}

}  // namespace fairlead::bench
