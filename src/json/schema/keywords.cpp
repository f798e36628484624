#include "json/schema/keywords.hpp"

#include <unordered_map>

#include "json/schema/keyword_compilers.hpp"
#include "json/schema/keyword_context.hpp"

namespace fairlead::json::schema {

namespace {

constexpr std::uint8_t old = static_cast<std::uint8_t>(Draft::draft7);
constexpr std::uint8_t modern = static_cast<std::uint8_t>(Draft::draft2020_12);
constexpr std::uint8_t both = old | modern;

/// Compiles a keyword whose value becomes a member of the rules.
template <auto member>
Result<void> set(KeywordContext& context, const Value& value) {
  return context.set(member, value);
}

// A keyword that the two drafts define differently has one line per draft.
constexpr Keyword keywords[] = {
    {"$ref", both, vocabulary::core, SubschemaKind::none, keyword_compilers::reference},
    {"$dynamicRef", modern, vocabulary::core, SubschemaKind::none, keyword_compilers::dynamic_reference},
    {"$defs", modern, vocabulary::core, SubschemaKind::map, keyword_compilers::definitions},
    // 2020-12 reserves the old names of these two with their old meaning.
    {"definitions", both, vocabulary::core, SubschemaKind::map, keyword_compilers::definitions},
    {"dependencies", both, vocabulary::applicator, SubschemaKind::map, keyword_compilers::dependencies},
    {"contentSchema", modern, vocabulary::core, SubschemaKind::one, nullptr},

    {"allOf", both, vocabulary::applicator, SubschemaKind::list, set<&LogicRules::all_of>},
    {"anyOf", both, vocabulary::applicator, SubschemaKind::list, set<&LogicRules::any_of>},
    {"oneOf", both, vocabulary::applicator, SubschemaKind::list, set<&LogicRules::one_of>},
    {"not", both, vocabulary::applicator, SubschemaKind::one, set<&LogicRules::negated>},
    {"if", both, vocabulary::applicator, SubschemaKind::one, set<&LogicRules::condition>},
    {"then", both, vocabulary::applicator, SubschemaKind::one, set<&LogicRules::then>},
    {"else", both, vocabulary::applicator, SubschemaKind::one, set<&LogicRules::otherwise>},
    {"properties", both, vocabulary::applicator, SubschemaKind::map, keyword_compilers::properties},
    {"patternProperties", both, vocabulary::applicator, SubschemaKind::map, keyword_compilers::pattern_properties},
    {"additionalProperties", both, vocabulary::applicator, SubschemaKind::one, set<&ObjectRules::additional>},
    {"propertyNames", both, vocabulary::applicator, SubschemaKind::one, set<&ObjectRules::property_names>},
    {"dependentSchemas", modern, vocabulary::applicator, SubschemaKind::map, keyword_compilers::dependent_schemas},
    {"prefixItems", modern, vocabulary::applicator, SubschemaKind::list, set<&ArrayRules::prefix>},
    {"items", modern, vocabulary::applicator, SubschemaKind::one, set<&ArrayRules::items>},
    {"items", old, vocabulary::applicator, SubschemaKind::one_or_list, keyword_compilers::items_or_tuple},
    {"additionalItems", old, vocabulary::applicator, SubschemaKind::one, keyword_compilers::additional_items},
    {"contains", both, vocabulary::applicator, SubschemaKind::one, set<&ArrayRules::contains>},
    {"unevaluatedItems", modern, vocabulary::unevaluated, SubschemaKind::one, set<&Node::unevaluated_items>},
    {"unevaluatedProperties", modern, vocabulary::unevaluated, SubschemaKind::one, set<&Node::unevaluated_properties>},

    {"type", both, vocabulary::validation, SubschemaKind::none, keyword_compilers::type},
    {"enum", both, vocabulary::validation, SubschemaKind::none, keyword_compilers::enumeration},
    {"const", both, vocabulary::validation, SubschemaKind::none, keyword_compilers::constant},
    {"multipleOf", both, vocabulary::validation, SubschemaKind::none, keyword_compilers::multiple_of},
    {"minimum", both, vocabulary::validation, SubschemaKind::none, set<&NumberRules::minimum>},
    {"maximum", both, vocabulary::validation, SubschemaKind::none, set<&NumberRules::maximum>},
    {"exclusiveMinimum", both, vocabulary::validation, SubschemaKind::none, set<&NumberRules::exclusive_minimum>},
    {"exclusiveMaximum", both, vocabulary::validation, SubschemaKind::none, set<&NumberRules::exclusive_maximum>},
    {"minLength", both, vocabulary::validation, SubschemaKind::none, set<&StringRules::min_length>},
    {"maxLength", both, vocabulary::validation, SubschemaKind::none, set<&StringRules::max_length>},
    {"pattern", both, vocabulary::validation, SubschemaKind::none, keyword_compilers::pattern},
    {"minItems", both, vocabulary::validation, SubschemaKind::none, set<&ArrayRules::min_items>},
    {"maxItems", both, vocabulary::validation, SubschemaKind::none, set<&ArrayRules::max_items>},
    {"uniqueItems", both, vocabulary::validation, SubschemaKind::none, set<&ArrayRules::unique>},
    {"minContains", modern, vocabulary::validation, SubschemaKind::none, set<&ArrayRules::min_contains>},
    {"maxContains", modern, vocabulary::validation, SubschemaKind::none, set<&ArrayRules::max_contains>},
    {"minProperties", both, vocabulary::validation, SubschemaKind::none, set<&ObjectRules::min_properties>},
    {"maxProperties", both, vocabulary::validation, SubschemaKind::none, set<&ObjectRules::max_properties>},
    {"required", both, vocabulary::validation, SubschemaKind::none, keyword_compilers::required},
    {"dependentRequired", modern, vocabulary::validation, SubschemaKind::none, keyword_compilers::dependent_required},

    {"format", both, vocabulary::format, SubschemaKind::none, keyword_compilers::format},
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
