#include <algorithm>
#include <fairlead/base/utf8.hpp>
#include <re2/re2.h>

#include "base/ascii.hpp"
#include "json/schema/formats.hpp"
#include "json/schema/punycode.hpp"
#include "json/schema/utf8.hpp"

namespace fairlead::json::schema::formats {

namespace {

using Label = std::vector<char32_t>;

constexpr char32_t zero_width_non_joiner = 0x200C;
constexpr char32_t zero_width_joiner = 0x200D;
constexpr char32_t katakana_middle_dot = 0x30FB;
constexpr std::size_t max_label = 63;

/// A set of characters as an RE2 pattern, to use RE2's Unicode tables.
class CharacterSet {
 public:
  explicit CharacterSet(const char* members) : pattern_(std::string("[") + members + "]") {}

  bool has(char32_t point) const {
    std::string text;
    append_utf8(text, point);
    return re2::RE2::FullMatch(text, pattern_);
  }

 private:
  re2::RE2 pattern_;
};

/// Approximates PVALID of RFC 5892: letters unchanged by case folding, marks and digits, with the RFC's exceptions.
bool is_permitted(char32_t point) {
  static const CharacterSet permitted(R"(\-0-9a-z\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\x{6FD}\x{6FE}\x{F0B}\x{3007})");
  static const CharacterSet disallowed(R"(\x{640}\x{7FA}\x{302E}\x{302F}\x{3031}-\x{3035}\x{303B}\x{FF00}-\x{FFEF})");
  return permitted.has(point) && !disallowed.has(point);
}

bool is_mark(char32_t point) {
  static const CharacterSet marks(R"(\p{M})");
  return marks.has(point);
}

/// Characters of combining class 9.
bool is_virama(char32_t point) {
  static const CharacterSet viramas(
      R"(\x{94D}\x{9CD}\x{A4D}\x{ACD}\x{B4D}\x{BCD}\x{C4D}\x{CCD}\x{D4D}\x{DCA}\x{E3A}\x{F84}\x{1039}\x{103A}\x{1714})"
      R"(\x{1734}\x{17D2}\x{1A60}\x{1B44}\x{1BAA}\x{1BAB}\x{1BF2}\x{1BF3}\x{2D7F}\x{A806}\x{A8C4}\x{A953}\x{A9C0})"
      R"(\x{AAF6}\x{ABED}\x{10A3F}\x{11046})");
  return viramas.has(point);
}

bool in_script(const CharacterSet& script, std::optional<char32_t> point) {
  return point && script.has(*point);
}

bool has_any(const Label& label, const CharacterSet& set) {
  return std::ranges::any_of(label, [&](char32_t point) { return set.has(point); });
}

std::optional<char32_t> at(const Label& label, std::size_t index) {
  return index < label.size() ? std::optional(label[index]) : std::nullopt;
}

bool joiner_allowed(const Label& label, std::size_t index) {
  static const CharacterSet arabic(R"(\p{Arabic})");
  const auto before = at(label, index - 1);
  if (before && is_virama(*before)) return true;
  // Approximates the joining types of RFC 5892, A.1.
  return label[index] == zero_width_non_joiner && in_script(arabic, before) && in_script(arabic, at(label, index + 1));
}

/// Contextual rules of RFC 5892, appendix A, that depend on adjacent characters; nothing if no rule applies.
std::optional<bool> by_neighbours(const Label& label, std::size_t index) {
  static const CharacterSet greek(R"(\p{Greek})");
  static const CharacterSet hebrew(R"(\p{Hebrew})");
  const auto before = at(label, index - 1);
  const auto after = at(label, index + 1);
  switch (label[index]) {
    case zero_width_non_joiner:
    case zero_width_joiner: return joiner_allowed(label, index);
    case 0xB7: return before == U'l' && after == U'l';
    case 0x375: return in_script(greek, after);
    case 0x5F3:
    case 0x5F4: return in_script(hebrew, before);
    case katakana_middle_dot: return true;
    default: return std::nullopt;
  }
}

/// Rules of the same appendix that depend on the whole label.
bool mixes_well(const Label& label) {
  static const CharacterSet japanese(R"(\p{Hiragana}\p{Katakana}\p{Han})");
  static const CharacterSet arabic_digits(R"(\x{660}-\x{669})");
  static const CharacterSet extended_digits(R"(\x{6F0}-\x{6F9})");
  if (std::ranges::find(label, katakana_middle_dot) != label.end() && !has_any(label, japanese)) return false;
  return !has_any(label, arabic_digits) || !has_any(label, extended_digits);
}

bool is_unicode_label(const Label& label) {
  if (label.empty() || label.front() == '-' || label.back() == '-' || is_mark(label.front())) return false;
  if (label.size() > 3 && label[2] == '-' && label[3] == '-') return false;
  for (std::size_t i = 0; i < label.size(); ++i) {
    const auto verdict = by_neighbours(label, i);
    if (verdict ? !*verdict : !is_permitted(label[i])) return false;
  }
  return mixes_well(label);
}

bool is_idn_label(std::string_view label) {
  std::string lower(label);
  std::ranges::transform(lower, lower.begin(), ascii::lower);
  const bool plain = std::ranges::all_of(lower, ascii::is_ascii);
  if (!lower.starts_with("xn--")) {
    const auto points = code_points(plain ? std::string_view(lower) : label);
    if (points.size() > max_label) return false;
    const auto length = plain ? points.size() : 4 + punycode_length(points);
    return length <= max_label && is_unicode_label(points);
  }
  const auto decoded =
      plain && lower.size() <= max_label ? punycode_decoded(std::string_view(lower).substr(4)) : std::nullopt;
  return decoded && is_unicode_label(*decoded);
}

}  // namespace

bool idn_hostname(std::string_view text) {
  std::size_t length = 0;
  for (;;) {
    std::string label;
    bool dot = false;
    while (!text.empty() && !dot) {
      const auto point = consume_code_point(text);
      dot = point == '.' || point == 0x3002 || point == 0xFF0E || point == 0xFF61;
      if (!dot) append_utf8(label, point);
    }
    length += label.size() + 1;
    if (length > 1024 || !is_idn_label(label)) return false;
    if (!dot) return true;
  }
}

}  // namespace fairlead::json::schema::formats
