#include <algorithm>
#include <fmt/format.h>

#include "json/schema/equality.hpp"
#include "json/schema/formats.hpp"
#include "json/schema/message.hpp"
#include "json/schema/rules.hpp"
#include "json/schema/site.hpp"

namespace fairlead::json::schema::rules {

namespace {

/// From here on a search by hash is quicker than a comparison with each.
constexpr std::size_t many_constants = 16;

Result<void> number_into(Site& site, std::optional<Number>& bound, const Value& value) {
  const auto number = site.number_from(value);
  if (!number) return std::unexpected(number.error());
  bound = *number;
  return {};
}

Result<void> add_type(Site& site, const Value& name, std::uint8_t& types) {
  const auto bit = name.is_string() ? type_named(name.get_string()) : std::uint8_t{0};
  if (bit == 0) {
    return site.refuse(fmt::format(
        "{} is no type; the types are null, boolean, object, array, string, number and integer", shown(name)));
  }
  types = static_cast<std::uint8_t>(types | bit);
  return {};
}

void index_constants(Constants& constants) {
  if (constants.entries.size() < many_constants) {
    for (const auto& entry : constants.entries) constants.weight += weight_of(entry.value, 1'000'000);
    return;
  }
  for (std::size_t i = 0; i < constants.entries.size(); ++i) {
    constants.by_hash.emplace_back(constants.entries[i].hash, i);
  }
  std::ranges::sort(constants.by_hash);
}

}  // namespace

Result<void> type(Site& site, const Value& value) {
  std::uint8_t types = 0;
  const auto* list = value.if_array();
  if (list == nullptr) {
    if (const auto done = add_type(site, value, types); !done) return done;
  } else {
    for (const auto& name : *list) {
      if (const auto done = add_type(site, name, types); !done) return done;
    }
  }
  site.node.types = types;
  return {};
}

Result<void> enumeration(Site& site, const Value& value) {
  const auto* list = value.if_array();
  if (list == nullptr) return site.refuse("must be an array of the allowed values");
  Constants constants;
  for (const auto& allowed : *list) constants.entries.push_back({hash_of(allowed), allowed});
  index_constants(constants);
  site.node.constants.push_back(std::move(constants));
  return {};
}

Result<void> constant(Site& site, const Value& value) {
  Constants constants{.entries = {{hash_of(value), value}}};
  index_constants(constants);
  site.node.constants.push_back(std::move(constants));
  return {};
}

Result<void> multiple_of(Site& site, const Value& value) {
  const auto number = site.number_from(value);
  if (!number) return std::unexpected(number.error());
  const auto divisor = decimal_of(*number);
  if (!divisor || compare(*number, Number{std::int64_t{0}}) <= 0) return site.refuse("must be greater than 0");
  site.number().multiple_of = *number;
  site.number().divisor = *divisor;
  return {};
}

Result<void> minimum(Site& site, const Value& value) {
  return number_into(site, site.number().minimum, value);
}

Result<void> maximum(Site& site, const Value& value) {
  return number_into(site, site.number().maximum, value);
}

Result<void> exclusive_minimum(Site& site, const Value& value) {
  return number_into(site, site.number().exclusive_minimum, value);
}

Result<void> exclusive_maximum(Site& site, const Value& value) {
  return number_into(site, site.number().exclusive_maximum, value);
}

Result<void> min_length(Site& site, const Value& value) {
  return site.count_into(site.string().min_length, value);
}

Result<void> max_length(Site& site, const Value& value) {
  return site.count_into(site.string().max_length, value);
}

Result<void> pattern(Site& site, const Value& value) {
  const auto text = site.string_from(value);
  if (!text) return std::unexpected(text.error());
  auto pattern = site.compiler().pattern(*text);
  if (!pattern) return site.refuse(pattern.error().message);
  site.string().pattern = std::move(*pattern);
  site.string().pattern_text = *text;
  return {};
}

Result<void> format(Site& site, const Value& value) {
  const auto name = site.string_from(value);
  if (!name) return std::unexpected(name.error());
  const bool by_dialect = (site.dialect().vocabularies & vocabulary::assertion) != 0;
  const auto check = format_named(*name);
  if (check == nullptr || (!by_dialect && !site.compiler().asserts_formats())) return {};
  site.string().format = check;
  site.string().format_name = *name;
  return {};
}

}  // namespace fairlead::json::schema::rules
