#include <algorithm>
#include <fmt/format.h>

#include "base/parse_number.hpp"
#include "json/schema/regex_translator.hpp"
#include "json/schema/utf8.hpp"

namespace fairlead::json::schema {

namespace {

// ECMA-262 22.2.2.9: white space and line terminators, and the complement of that set.
constexpr std::string_view spaces =
    "\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}";
constexpr std::string_view not_spaces =
    "\\x00-\\x08\\x0E-\\x1F!-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}"
    "\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}";

bool is_high_surrogate(char32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low_surrogate(char32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

bool is_letter(char32_t c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::optional<std::string_view> shorthand(char32_t letter) {
  switch (letter) {
    case 'd': return "0-9";
    case 'D': return "\\x00-/:-\\x{10FFFF}";
    case 'w': return "0-9A-Z_a-z";
    case 'W': return "\\x00-/:-@\\[-\\^`\\{-\\x{10FFFF}";
    case 's': return spaces;
    case 'S': return not_spaces;
    default: return std::nullopt;
  }
}

std::optional<char32_t> control(char32_t letter) {
  switch (letter) {
    case 't': return U'\t';
    case 'n': return U'\n';
    case 'v': return U'\v';
    case 'f': return U'\f';
    case 'r': return U'\r';
    default: return std::nullopt;
  }
}

}  // namespace

RegexTranslator::Escape RegexTranslator::escaped(bool in_class) {
  if (left_.empty()) return refuse("ends in a \\"), Escape{};
  const char32_t letter = consume_code_point(left_);
  if (const auto set = shorthand(letter)) return {.set = std::string(*set)};
  if (const auto point = control(letter)) return {.point = point};
  if (letter == 'p' || letter == 'P') return property(letter == 'P');
  if (letter == 'u') return {.point = code_unit_escape()};
  if (letter == 'x') return {.point = hex(2)};
  if (letter == 'b' && in_class) return {.point = U'\b'};
  if (letter == 'c' && !left_.empty() && is_letter(static_cast<unsigned char>(left_.front()))) {
    return {.point = consume_code_point(left_) % 32};
  }
  const bool digit_follows = !left_.empty() && left_.front() >= '0' && left_.front() <= '9';
  if (letter == '0' && !digit_follows) return {.point = U'\0'};
  if (letter == 'k' || (letter >= '0' && letter <= '9')) {
    refuse("a back-reference is not supported: patterns run on RE2, which takes linear time", true);
  } else if (is_letter(letter)) {
    refuse(fmt::format("has \\{}, which ECMA-262 does not define", static_cast<char>(letter)));
  }
  return {.point = letter};
}

/// Parses after `\u`: four digits, two such escapes for a character beyond U+FFFF, or digits in braces.
char32_t RegexTranslator::code_unit_escape() {
  if (consume("{")) {
    const auto point = hex(std::min(left_.find('}'), left_.size()));
    if (!consume("}")) refuse("has a \\u{ without its }");
    return point;
  }
  const char32_t unit = hex(4);
  const auto low = is_high_surrogate(unit) ? peek_low_surrogate() : std::nullopt;
  if (!low) return unit;
  left_.remove_prefix(6);
  return 0x10000 + ((unit - 0xD800) << 10) + (*low - 0xDC00);
}

std::optional<char32_t> RegexTranslator::peek_low_surrogate() const {
  if (!left_.starts_with("\\u") || left_.size() < 6) return std::nullopt;
  const auto unit = parse_number<std::uint32_t>(left_.substr(2, 4), 16);
  return unit && is_low_surrogate(*unit) ? unit : std::nullopt;
}

char32_t RegexTranslator::hex(std::size_t digits) {
  const auto text = left_.substr(0, digits);
  const auto number = parse_number<std::uint32_t>(text, 16);
  if (!number || text.size() != digits || *number > 0x10FFFF) {
    refuse("has an escape without its hexadecimal digits");
    return 0;
  }
  left_.remove_prefix(digits);
  return *number;
}

RegexTranslator::Escape RegexTranslator::property(bool negated) {
  const auto end = left_.find('}');
  if (!consume("{") || end == left_.npos || end < 2) return refuse("has a \\p without {name}"), Escape{};
  const auto name = left_.substr(0, end - 1);
  auto set = unicode_property(name, negated);
  if (!set) {
    refuse(
        fmt::format("names the Unicode property {}, which is not supported: general categories and Script= are", name),
        true);
    return {};
  }
  left_.remove_prefix(end);
  return {.set = std::move(*set)};
}

void RegexTranslator::character_class() {
  const bool negated = consume("^");
  std::string members;
  while (!error_ && !left_.empty() && left_.front() != ']') class_member(members);
  if (!error_ && !consume("]")) refuse("has a [ without its ]");
  if (members.empty()) return emit(negated ? "[\\x00-\\x{10FFFF}]" : "[^\\x00-\\x{10FFFF}]", Last::atom);
  emit(fmt::format("[{}{}]", negated ? "^" : "", members), Last::atom);
}

void RegexTranslator::class_member(std::string& members) {
  const auto low = class_atom();
  const bool range = left_.size() > 1 && left_.front() == '-' && left_[1] != ']';
  if (error_) return;
  if (!low.point || !range) {
    members += low.point ? literal(*low.point) : low.set;
    return;
  }
  left_.remove_prefix(1);
  const auto high = class_atom();
  if (error_) return;
  if (high.point && *high.point < *low.point) return refuse("has a range that ends before it begins");
  // A class cannot be the end of a range: the hyphen is then a literal (Annex B).
  members += literal(*low.point) + (high.point ? "-" : "\\-") + (high.point ? literal(*high.point) : high.set);
}

RegexTranslator::Escape RegexTranslator::class_atom() {
  if (consume("\\")) return escaped(true);
  return {.point = consume_code_point(left_)};
}

}  // namespace fairlead::json::schema
