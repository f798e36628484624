#include "cli/sample_arguments.hpp"

#include <boost/json.hpp>

namespace fairlead::cli {
namespace {

namespace bj = boost::json;

const bj::object* object_in(const bj::object& parent, std::string_view name) {
  const auto* found = parent.if_contains(name);
  return found != nullptr ? found->if_object() : nullptr;
}

const bj::array* required_of(const protocol::Tool& tool) {
  const auto* schema = tool.inputSchema.value().if_object();
  const auto* required = schema != nullptr ? schema->if_contains("required") : nullptr;
  return required != nullptr ? required->if_array() : nullptr;
}

bj::value sample_of(const bj::object& schema) {
  for (const auto* key : {"default", "const"}) {
    if (const auto* given = schema.if_contains(key)) return *given;
  }
  for (const auto* key : {"enum", "examples"}) {
    const auto* given = schema.if_contains(key);
    if (given != nullptr && given->is_array() && !given->get_array().empty()) return given->get_array().front();
  }
  const auto* type = schema.if_contains("type");
  const std::string_view name = type != nullptr && type->is_string() ? type->get_string() : std::string_view("string");
  if (name == "integer" || name == "number") {
    const auto* least = schema.if_contains("minimum");
    return least != nullptr ? *least : bj::value(1);
  }
  if (name == "boolean") return true;
  if (name == "array") return bj::array();
  if (name == "object") return bj::object();
  return "test";
}

}  // namespace

bool has_no_required_arguments(const protocol::Tool& tool) {
  const auto* required = required_of(tool);
  return required == nullptr || required->empty();
}

std::string sample_arguments(const protocol::Tool& tool) {
  bj::object arguments;
  const auto* required = required_of(tool);
  if (required == nullptr) return "{}";
  const auto* properties = object_in(tool.inputSchema.value().get_object(), "properties");
  for (const auto& name : *required) {
    if (!name.is_string()) continue;
    const auto* schema = properties != nullptr ? object_in(*properties, name.get_string()) : nullptr;
    arguments[name.get_string()] = sample_of(schema != nullptr ? *schema : bj::object());
  }
  return bj::serialize(arguments);
}

}  // namespace fairlead::cli
