#include <fmt/format.h>

#include "json/schema/keyword_compilers.hpp"
#include "json/schema/keyword_context.hpp"

namespace fairlead::json::schema::keyword_compilers {

namespace {

Result<Target> resolved(const KeywordContext& context, const Value& value) {
  const auto reference = context.string_from(value);
  if (!reference) return std::unexpected(reference.error());
  auto target = context.compiler().registry().resolve(*reference, context.location());
  if (!target) {
    auto error = target.error();
    error.message = context.refuse(error.message).error().message;
    return std::unexpected(error);
  }
  if (!target->schema->is_object() && !target->schema->is_bool()) {
    return context.refuse(fmt::format("\"{}\" does not refer to a schema", *reference));
  }
  return target;
}

}  // namespace

Result<void> reference(KeywordContext& context, const Value& value) {
  const auto target = resolved(context, value);
  if (!target) return std::unexpected(target.error());
  context.logic().all_of.push_back(context.compiler().node_for(*target->schema));
  return {};
}

Result<void> dynamic_reference(KeywordContext& context, const Value& value) {
  const auto target = resolved(context, value);
  if (!target) return std::unexpected(target.error());
  DynamicReference reference{.initial = context.compiler().node_for(*target->schema)};
  // Without a $dynamicAnchor at its initial target it is a plain $ref.
  if (!target->dynamic_anchor.empty()) reference.anchor = context.compiler().anchor_index(target->dynamic_anchor);
  context.logic().dynamic.push_back(reference);
  return {};
}

/// Compiled even if unused, so that errors in them are reported.
Result<void> definitions(KeywordContext& context, const Value& value) {
  const auto members = context.object_from(value);
  if (!members) return std::unexpected(members.error());
  for (const auto& member : **members) {
    if (const auto id = context.compile_subschema(member.value(), member.key()); !id)
      return std::unexpected(id.error());
  }
  return {};
}

}  // namespace fairlead::json::schema::keyword_compilers
