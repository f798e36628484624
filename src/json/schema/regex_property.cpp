#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "base/ascii.hpp"
#include "json/schema/regex_translator.hpp"

namespace fairlead::json::schema {

namespace {

using Alias = std::pair<std::string_view, std::string_view>;

// The long names of PropertyValueAliases.txt; RE2 knows the short ones.
constexpr std::array categories{
    Alias{"Letter", "L"},
    Alias{"Uppercase_Letter", "Lu"},
    Alias{"Lowercase_Letter", "Ll"},
    Alias{"Titlecase_Letter", "Lt"},
    Alias{"Modifier_Letter", "Lm"},
    Alias{"Other_Letter", "Lo"},
    Alias{"Mark", "M"},
    Alias{"Combining_Mark", "M"},
    Alias{"Nonspacing_Mark", "Mn"},
    Alias{"Spacing_Mark", "Mc"},
    Alias{"Enclosing_Mark", "Me"},
    Alias{"Number", "N"},
    Alias{"Decimal_Number", "Nd"},
    Alias{"digit", "Nd"},
    Alias{"Letter_Number", "Nl"},
    Alias{"Other_Number", "No"},
    Alias{"Punctuation", "P"},
    Alias{"punct", "P"},
    Alias{"Connector_Punctuation", "Pc"},
    Alias{"Dash_Punctuation", "Pd"},
    Alias{"Open_Punctuation", "Ps"},
    Alias{"Close_Punctuation", "Pe"},
    Alias{"Initial_Punctuation", "Pi"},
    Alias{"Final_Punctuation", "Pf"},
    Alias{"Other_Punctuation", "Po"},
    Alias{"Symbol", "S"},
    Alias{"Math_Symbol", "Sm"},
    Alias{"Currency_Symbol", "Sc"},
    Alias{"Modifier_Symbol", "Sk"},
    Alias{"Other_Symbol", "So"},
    Alias{"Separator", "Z"},
    Alias{"Space_Separator", "Zs"},
    Alias{"Line_Separator", "Zl"},
    Alias{"Paragraph_Separator", "Zp"},
    Alias{"Control", "Cc"},
    Alias{"cntrl", "Cc"},
    Alias{"Format", "Cf"},
    Alias{"Surrogate", "Cs"},
    Alias{"Private_Use", "Co"},
};

constexpr std::array scripts{
    Alias{"Arab", "Arabic"},     Alias{"Armn", "Armenian"}, Alias{"Beng", "Bengali"},   Alias{"Cyrl", "Cyrillic"},
    Alias{"Deva", "Devanagari"}, Alias{"Ethi", "Ethiopic"}, Alias{"Geor", "Georgian"},  Alias{"Grek", "Greek"},
    Alias{"Hang", "Hangul"},     Alias{"Hani", "Han"},      Alias{"Hebr", "Hebrew"},    Alias{"Hira", "Hiragana"},
    Alias{"Kana", "Katakana"},   Alias{"Khmr", "Khmer"},    Alias{"Latn", "Latin"},     Alias{"Mong", "Mongolian"},
    Alias{"Taml", "Tamil"},      Alias{"Telu", "Telugu"},   Alias{"Zinh", "Inherited"}, Alias{"Zyyy", "Common"},
};

template <std::size_t size>
std::optional<std::string_view> aliased(const std::array<Alias, size>& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Alias::first);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string_view> category(std::string_view name) {
  if (const auto shorter = aliased(categories, name)) return shorter;
  const bool known = std::ranges::find(categories, name, &Alias::second) != categories.end();
  return known ? std::optional(name) : std::nullopt;
}

/// Names that RE2 does not know fail when it compiles the pattern.
std::optional<std::string_view> script(std::string_view name) {
  return aliased(scripts, name).value_or(name);
}

std::optional<std::string> binary(std::string_view name, bool negated) {
  if (name == "Any") return negated ? std::nullopt : std::optional<std::string>("\\x00-\\x{10FFFF}");
  if (name == "ASCII") return negated ? "\\x{80}-\\x{10FFFF}" : "\\x00-\\x7F";
  if (name == "ASCII_Hex_Digit" && !negated) return "0-9A-Fa-f";
  if ((name == "LC" || name == "Cased_Letter") && !negated) return "\\p{Lu}\\p{Ll}\\p{Lt}";
  return std::nullopt;
}

std::optional<std::string_view> by_key(std::string_view key, std::string_view name) {
  if (key == "gc" || key == "General_Category") return category(name);
  if (key == "sc" || key == "Script" || key == "scx" || key == "Script_Extensions") return script(name);
  return std::nullopt;
}

bool is_plain(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return ascii::is_alphanumeric(c) || c == '_' || c == '='; });
}

}  // namespace

std::optional<std::string> unicode_property(std::string_view name, bool negated) {
  if (!is_plain(name)) return std::nullopt;
  if (auto set = binary(name, negated)) return set;
  const auto sign = name.find('=');
  const auto known = sign == name.npos ? category(name) : by_key(name.substr(0, sign), name.substr(sign + 1));
  if (!known) return std::nullopt;
  return fmt::format("\\{}{{{}}}", negated ? 'P' : 'p', *known);
}

}  // namespace fairlead::json::schema
