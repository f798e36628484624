#include "json/schema/site.hpp"

#include <fmt/format.h>

#include "json/schema/message.hpp"
#include "json/schema/uri.hpp"

namespace fairlead::json::schema {

std::unexpected<Error> Site::refuse(std::string_view text, std::string_view inside) const {
  auto place = fmt::format("{}/{}", location_.place, keyword_);
  if (!inside.empty()) place += "/" + pointer_escaped(inside);
  return fail_at(place, text);
}

Result<void> Site::schema_into(NodeId& node_id, const Value& value) const {
  const auto id = schema_at(value, {});
  if (!id) return std::unexpected(id.error());
  node_id = *id;
  return {};
}

Result<void> Site::schemas_into(std::vector<NodeId>& nodes, const Value& value) const {
  const auto* list = value.if_array();
  if (list == nullptr) return refuse("must be an array of schemas");
  if (list->empty()) return refuse("must have at least one schema");
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto id = schema_at((*list)[i], std::to_string(i));
    if (!id) return std::unexpected(id.error());
    nodes.push_back(*id);
  }
  return {};
}

Result<NodeId> Site::schema_at(const Value& value, std::string_view inside) const {
  if (!value.is_object() && !value.is_bool()) {
    return refuse(fmt::format("must be a schema, an object or a boolean, not {}", type_name(value)), inside);
  }
  return compiler_.node_for(value);
}

Result<void> Site::count_into(std::size_t& count, const Value& value) const {
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

Result<Number> Site::number_from(const Value& value) const {
  const auto number = number_of(value);
  if (!number) return refuse(fmt::format("must be a number, not {}", type_name(value)));
  return *number;
}

Result<std::string> Site::string_from(const Value& value) const {
  if (!value.is_string()) return refuse(fmt::format("must be a string, not {}", type_name(value)));
  return std::string(value.get_string());
}

Result<std::vector<std::string>> Site::names_from(const Value& value, std::string_view inside) const {
  const auto* list = value.if_array();
  if (list == nullptr) return refuse("must be an array of property names", inside);
  std::vector<std::string> names;
  for (const auto& name : *list) {
    if (!name.is_string()) return refuse("must hold nothing but strings", inside);
    names.emplace_back(name.get_string());
  }
  return names;
}

Result<const boost::json::object*> Site::object_from(const Value& value) const {
  if (!value.is_object()) return refuse(fmt::format("must be an object, not {}", type_name(value)));
  return &value.get_object();
}

}  // namespace fairlead::json::schema
