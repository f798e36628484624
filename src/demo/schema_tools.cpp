#include <cmath>

#include "demo/features.hpp"

namespace fairlead::demo {
namespace {

constexpr std::string_view contact_schema = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {
    "address": {
      "$anchor": "addressDef",
      "type": "object",
      "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
    }
  },
  "properties": {
    "name": {"type": "string"},
    "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
    "phone": {"type": "string"},
    "email": {"type": "string"}
  },
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]},
  "else": {"required": ["email"]},
  "additionalProperties": false
})";

constexpr std::string_view region_schema = R"({
  "type": "object",
  "properties": {"region": {"type": "string", "description": "Where to run", "x-mcp-header": "Region"}},
  "required": ["region"]
})";

server::ToolOptions with_schema(std::string description, std::string_view schema) {
  server::ToolOptions options;
  options.description = std::move(description);
  options.input_schema = Payload::trusted(std::string(schema));
  return options;
}

enum class Unit { celsius, fahrenheit };

struct Query {
  Doc<std::string, "City name"> city;
  std::optional<Unit> unit = Unit::celsius;
  std::optional<std::vector<std::string>> details = {};
};

struct Weather {
  std::string city;
  double temperature = 0;
  Unit unit = Unit::celsius;
  std::vector<std::string> details = {};
};

// Deterministic: depends on the name of the city only.
Weather weather(Query query) {
  double celsius = 0;
  for (const char c : *query.city) celsius = std::fmod(celsius * 31 + static_cast<unsigned char>(c), 35);
  const auto unit = query.unit.value_or(Unit::celsius);
  return {.city = std::move(query.city.value),
          .temperature = unit == Unit::celsius ? celsius : celsius * 9 / 5 + 32,
          .unit = unit,
          .details = query.details.value_or(std::vector<std::string>{})};
}

}  // namespace

void add_schema_tools(Server& server) {
  server.tool("add", "Adds two numbers",
              [](Arg<"a", double, "The first"> a, Arg<"b", double, "The second"> b) { return a + b; });
  server.tool("weather", "Returns the weather of a city as a structured result", weather);
  server.tool("json_schema_2020_12_tool", with_schema("Accepts arguments of a JSON Schema 2020-12", contact_schema),
              [](const Payload& arguments) { return "Received: " + std::string(arguments.text()); });
  server.tool("test_x_mcp_header", with_schema("Has an argument that is also sent as a header", region_schema),
              [](Arg<"region", std::string> region) { return "Region: " + *region; });
}

}  // namespace fairlead::demo
