#include <fmt/format.h>

#include "json/schema/keyword_compilers.hpp"
#include "json/schema/keyword_context.hpp"

namespace fairlead::json::schema::keyword_compilers {

namespace {

/// Calls `add(name, value)` for each member of the keyword's object until one fails.
template <class Add>
Result<void> each_member(const KeywordContext& context, const Value& value, Add add) {
  const auto members = context.object_from(value);
  if (!members) return std::unexpected(members.error());
  for (const auto& member : **members) {
    if (const Result<void> done = add(std::string_view(member.key()), member.value()); !done) return done;
  }
  return {};
}

Result<void> add_dependent_names(KeywordContext& context, std::string_view name, const Value& value) {
  auto names = context.names_from(value, name);
  if (!names) return std::unexpected(names.error());
  context.object().dependencies.push_back({.trigger = std::string(name), .required = std::move(*names)});
  return {};
}

Result<void> add_dependent_schema(KeywordContext& context, std::string_view name, const Value& value) {
  const auto id = context.compile_subschema(value, name);
  if (!id) return std::unexpected(id.error());
  context.object().dependencies.push_back({.trigger = std::string(name), .node = *id});
  return {};
}

}  // namespace

Result<void> properties(KeywordContext& context, const Value& value) {
  return each_member(context, value, [&](std::string_view name, const Value& schema) -> Result<void> {
    const auto id = context.compile_subschema(schema, name);
    if (!id) return std::unexpected(id.error());
    context.object().names.add({.name = std::string(name), .node = *id});
    return {};
  });
}

Result<void> pattern_properties(KeywordContext& context, const Value& value) {
  return each_member(context, value, [&](std::string_view name, const Value& schema) -> Result<void> {
    auto pattern = context.compiler().pattern(name);
    if (!pattern) return context.refuse(pattern.error().message);
    const auto id = context.compile_subschema(schema, name);
    if (!id) return std::unexpected(id.error());
    context.object().patterns.push_back({std::move(*pattern), *id});
    return {};
  });
}

Result<void> required(KeywordContext& context, const Value& value) {
  auto names = context.names_from(value);
  if (!names) return std::unexpected(names.error());
  for (auto& name : *names) context.object().names.add({.name = std::move(name), .required = true});
  return {};
}

Result<void> dependencies(KeywordContext& context, const Value& value) {
  return each_member(context, value, [&](std::string_view name, const Value& dependent) {
    return dependent.is_array() ? add_dependent_names(context, name, dependent)
                                : add_dependent_schema(context, name, dependent);
  });
}

Result<void> dependent_schemas(KeywordContext& context, const Value& value) {
  return each_member(context, value, [&](std::string_view name, const Value& schema) {
    return add_dependent_schema(context, name, schema);
  });
}

Result<void> dependent_required(KeywordContext& context, const Value& value) {
  return each_member(context, value, [&](std::string_view name, const Value& names) {
    return add_dependent_names(context, name, names);
  });
}

}  // namespace fairlead::json::schema::keyword_compilers
