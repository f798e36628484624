#include "json/schema/keywords.hpp"

#include <unordered_map>

#include "json/schema/rules.hpp"

namespace fairlead::json::schema {

namespace {

constexpr std::uint8_t old = static_cast<std::uint8_t>(Draft::draft7);
constexpr std::uint8_t modern = static_cast<std::uint8_t>(Draft::draft2020_12);
constexpr std::uint8_t both = old | modern;

// A keyword that the two drafts read differently has a line for each.
constexpr Keyword keywords[] = {
    {"$ref", both, vocabulary::core, Shape::none, rules::reference},
    {"$dynamicRef", modern, vocabulary::core, Shape::none, rules::dynamic_reference},
    {"$defs", modern, vocabulary::core, Shape::map, rules::definitions},
    // 2020-12 keeps the old names of these two reserved, with their old meaning.
    {"definitions", both, vocabulary::core, Shape::map, rules::definitions},
    {"dependencies", both, vocabulary::applicator, Shape::map, rules::dependencies},
    {"contentSchema", modern, vocabulary::core, Shape::one, nullptr},

    {"allOf", both, vocabulary::applicator, Shape::list, rules::all_of},
    {"anyOf", both, vocabulary::applicator, Shape::list, rules::any_of},
    {"oneOf", both, vocabulary::applicator, Shape::list, rules::one_of},
    {"not", both, vocabulary::applicator, Shape::one, rules::negation},
    {"if", both, vocabulary::applicator, Shape::one, rules::condition},
    {"then", both, vocabulary::applicator, Shape::one, rules::then},
    {"else", both, vocabulary::applicator, Shape::one, rules::otherwise},
    {"properties", both, vocabulary::applicator, Shape::map, rules::properties},
    {"patternProperties", both, vocabulary::applicator, Shape::map, rules::pattern_properties},
    {"additionalProperties", both, vocabulary::applicator, Shape::one, rules::additional_properties},
    {"propertyNames", both, vocabulary::applicator, Shape::one, rules::property_names},
    {"dependentSchemas", modern, vocabulary::applicator, Shape::map, rules::dependent_schemas},
    {"prefixItems", modern, vocabulary::applicator, Shape::list, rules::prefix_items},
    {"items", modern, vocabulary::applicator, Shape::one, rules::items},
    {"items", old, vocabulary::applicator, Shape::one_or_list, rules::items_or_tuple},
    {"additionalItems", old, vocabulary::applicator, Shape::one, rules::additional_items},
    {"contains", both, vocabulary::applicator, Shape::one, rules::contains},
    {"unevaluatedItems", modern, vocabulary::unevaluated, Shape::one, rules::unevaluated_items},
    {"unevaluatedProperties", modern, vocabulary::unevaluated, Shape::one, rules::unevaluated_properties},

    {"type", both, vocabulary::validation, Shape::none, rules::type},
    {"enum", both, vocabulary::validation, Shape::none, rules::enumeration},
    {"const", both, vocabulary::validation, Shape::none, rules::constant},
    {"multipleOf", both, vocabulary::validation, Shape::none, rules::multiple_of},
    {"minimum", both, vocabulary::validation, Shape::none, rules::minimum},
    {"maximum", both, vocabulary::validation, Shape::none, rules::maximum},
    {"exclusiveMinimum", both, vocabulary::validation, Shape::none, rules::exclusive_minimum},
    {"exclusiveMaximum", both, vocabulary::validation, Shape::none, rules::exclusive_maximum},
    {"minLength", both, vocabulary::validation, Shape::none, rules::min_length},
    {"maxLength", both, vocabulary::validation, Shape::none, rules::max_length},
    {"pattern", both, vocabulary::validation, Shape::none, rules::pattern},
    {"minItems", both, vocabulary::validation, Shape::none, rules::min_items},
    {"maxItems", both, vocabulary::validation, Shape::none, rules::max_items},
    {"uniqueItems", both, vocabulary::validation, Shape::none, rules::unique_items},
    {"minContains", modern, vocabulary::validation, Shape::none, rules::min_contains},
    {"maxContains", modern, vocabulary::validation, Shape::none, rules::max_contains},
    {"minProperties", both, vocabulary::validation, Shape::none, rules::min_properties},
    {"maxProperties", both, vocabulary::validation, Shape::none, rules::max_properties},
    {"required", both, vocabulary::validation, Shape::none, rules::required},
    {"dependentRequired", modern, vocabulary::validation, Shape::none, rules::dependent_required},

    {"format", both, vocabulary::format, Shape::none, rules::format},
};

}  // namespace

const Keyword* find_keyword(std::string_view name, const Dialect& dialect) {
  static const auto by_name = [] {
    std::unordered_multimap<std::string_view, const Keyword*> map;
    for (const auto& keyword : keywords) map.emplace(keyword.name, &keyword);
    return map;
  }();
  const auto [first, last] = by_name.equal_range(name);
  for (auto at = first; at != last; ++at) {
    const auto& keyword = *at->second;
    const bool known = (keyword.drafts & static_cast<std::uint8_t>(dialect.draft)) != 0;
    if (known && (keyword.vocabulary & dialect.vocabularies) != 0) return &keyword;
  }
  return nullptr;
}

}  // namespace fairlead::json::schema
