#include "json/schema/keyword_context.hpp"

#include <fmt/format.h>

#include "json/schema/uri.hpp"
#include "json/schema/violation_text.hpp"

namespace fairlead::json::schema {

std::unexpected<Error> KeywordContext::refuse(std::string_view text, std::string_view inside) const {
  auto pointer = fmt::format("{}/{}", location_.pointer, keyword_);
  if (!inside.empty()) pointer += "/" + pointer_escaped(inside);
  return fail_at(pointer, text);
}

Result<void> KeywordContext::read_into(NodeId& node_id, const Value& value) const {
  const auto id = compile_subschema(value, {});
  if (!id) return std::unexpected(id.error());
  node_id = *id;
  return {};
}

Result<void> KeywordContext::read_into(std::vector<NodeId>& nodes, const Value& value) const {
  const auto* list = value.if_array();
  if (list == nullptr) return refuse("must be an array of schemas");
  if (list->empty()) return refuse("must have at least one schema");
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto id = compile_subschema((*list)[i], std::to_string(i));
    if (!id) return std::unexpected(id.error());
    nodes.push_back(*id);
  }
  return {};
}

Result<NodeId> KeywordContext::compile_subschema(const Value& value, std::string_view inside) const {
  if (!value.is_object() && !value.is_bool()) {
    return refuse(fmt::format("must be a schema, an object or a boolean, not {}", type_name(value)), inside);
  }
  return compiler_.node_for(value);
}

Result<void> KeywordContext::read_into(std::size_t& count, const Value& value) const {
  const auto number = number_of(value);
  const auto whole = number ? simplest(*number) : Number{0.5};
  if (const auto* plain = std::get_if<std::int64_t>(&whole); plain != nullptr && *plain >= 0) {
    count = static_cast<std::size_t>(*plain);
    return {};
  }
  const bool huge = number && is_integer(value) && compare(*number, Number{std::int64_t{0}}) > 0;
  if (!huge) return refuse("must be an integer of 0 or more");
  count = no_limit;
  return {};
}

Result<void> KeywordContext::read_into(std::optional<Number>& bound, const Value& value) const {
  const auto number = number_from(value);
  if (!number) return std::unexpected(number.error());
  bound = *number;
  return {};
}

Result<void> KeywordContext::read_into(bool& flag, const Value& value) const {
  if (!value.is_bool()) return refuse("must be a boolean");
  flag = value.get_bool();
  return {};
}

Result<Number> KeywordContext::number_from(const Value& value) const {
  const auto number = number_of(value);
  if (!number) return refuse(fmt::format("must be a number, not {}", type_name(value)));
  return *number;
}

Result<std::string> KeywordContext::string_from(const Value& value) const {
  if (!value.is_string()) return refuse(fmt::format("must be a string, not {}", type_name(value)));
  return std::string(value.get_string());
}

Result<std::vector<std::string>> KeywordContext::names_from(const Value& value, std::string_view inside) const {
  const auto* list = value.if_array();
  if (list == nullptr) return refuse("must be an array of property names", inside);
  std::vector<std::string> names;
  for (const auto& name : *list) {
    if (!name.is_string()) return refuse("must hold nothing but strings", inside);
    names.emplace_back(name.get_string());
  }
  return names;
}

Result<const boost::json::object*> KeywordContext::object_from(const Value& value) const {
  if (!value.is_object()) return refuse(fmt::format("must be an object, not {}", type_name(value)));
  return &value.get_object();
}

}  // namespace fairlead::json::schema
