#include <algorithm>
#include <fmt/format.h>

#include "json/schema/equality.hpp"
#include "json/schema/formats.hpp"
#include "json/schema/keyword_compilers.hpp"
#include "json/schema/keyword_context.hpp"
#include "json/schema/violation_text.hpp"

namespace fairlead::json::schema::keyword_compilers {

namespace {

/// From this size on, a search by hash is faster than comparing with every entry.
constexpr std::size_t many_constants = 16;

Result<void> add_type(KeywordContext& context, const Value& name, std::uint8_t& types) {
  const auto bit = name.is_string() ? type_named(name.get_string()) : std::uint8_t{0};
  if (bit == 0) {
    return context.refuse(fmt::format(
        "{} is not a type; expected null, boolean, object, array, string, number or integer", json_excerpt(name)));
  }
  types = static_cast<std::uint8_t>(types | bit);
  return {};
}

void index_constants(Constants& constants) {
  if (constants.entries.size() < many_constants) {
    for (const auto& entry : constants.entries) constants.cost += comparison_cost(entry.value, 1'000'000);
    return;
  }
  for (std::size_t i = 0; i < constants.entries.size(); ++i) {
    constants.by_hash.emplace_back(constants.entries[i].hash, i);
  }
  std::ranges::sort(constants.by_hash);
}

}  // namespace

Result<void> type(KeywordContext& context, const Value& value) {
  std::uint8_t types = 0;
  const auto* list = value.if_array();
  if (list == nullptr) {
    if (const auto done = add_type(context, value, types); !done) return done;
  } else {
    for (const auto& name : *list) {
      if (const auto done = add_type(context, name, types); !done) return done;
    }
  }
  context.node.types = types;
  return {};
}

Result<void> enumeration(KeywordContext& context, const Value& value) {
  const auto* list = value.if_array();
  if (list == nullptr) return context.refuse("must be an array of the allowed values");
  Constants constants;
  for (const auto& allowed : *list) constants.entries.push_back({hash_of(allowed), allowed});
  index_constants(constants);
  context.node.constants.push_back(std::move(constants));
  return {};
}

Result<void> constant(KeywordContext& context, const Value& value) {
  Constants constants{.entries = {{hash_of(value), value}}};
  index_constants(constants);
  context.node.constants.push_back(std::move(constants));
  return {};
}

Result<void> multiple_of(KeywordContext& context, const Value& value) {
  const auto number = context.number_from(value);
  if (!number) return std::unexpected(number.error());
  const auto divisor = decimal_of(*number);
  if (!divisor || compare(*number, Number{std::int64_t{0}}) <= 0) return context.refuse("must be greater than 0");
  context.number().multiple_of = *number;
  context.number().divisor = *divisor;
  return {};
}

Result<void> pattern(KeywordContext& context, const Value& value) {
  const auto text = context.string_from(value);
  if (!text) return std::unexpected(text.error());
  auto pattern = context.compiler().pattern(*text);
  if (!pattern) return context.refuse(pattern.error().message);
  context.string().pattern = std::move(*pattern);
  context.string().pattern_text = *text;
  return {};
}

Result<void> format(KeywordContext& context, const Value& value) {
  const auto name = context.string_from(value);
  if (!name) return std::unexpected(name.error());
  const bool by_dialect = (context.dialect().vocabularies & vocabulary::assertion) != 0;
  const auto check = format_named(*name);
  if (check == nullptr || (!by_dialect && !context.compiler().asserts_formats())) return {};
  context.string().format = check;
  context.string().format_name = *name;
  return {};
}

}  // namespace fairlead::json::schema::keyword_compilers
