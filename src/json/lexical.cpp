#include "json/lexical.hpp"

#include <algorithm>
#include <charconv>
#include <fairlead/base/utf8.hpp>
#include <limits>

#include "base/ascii.hpp"

namespace fairlead::json {

// Searches in growing windows: a search of the whole text would be repeated after every escape.
std::size_t distant_quote_or_escape(std::string_view text, std::size_t at) {
  constexpr auto none = std::string_view::npos;
  for (std::size_t window = 256;; window *= 2) {
    const auto part = text.substr(at, window);
    const auto quote = part.find('"');
    const auto escape = part.substr(0, quote).find('\\');
    if (escape != none) return at + escape;
    if (quote != none) return at + quote;
    at += part.size();
  }
}

namespace {

// True if a number is out of the range of double because it is large, not because it is small.
bool is_large(std::string_view number) {
  const std::size_t mantissa = std::min(number.find_first_of("eE"), number.size());
  const auto point = static_cast<std::int64_t>(std::min(number.find('.'), mantissa));
  const auto first = static_cast<std::int64_t>(number.find_first_of("123456789"));
  std::string_view digits = number.substr(std::min(mantissa + 1, number.size()));
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (error == std::errc::result_out_of_range) return !digits.starts_with('-');
  return point - first + exponent > 0;
}

}  // namespace

double to_double(std::string_view number) {
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc::result_out_of_range) return value;
  value = is_large(number) ? std::numeric_limits<double>::infinity() : 0;
  return number.starts_with('-') ? -value : value;
}

bool read_hex4(const char* digits, std::uint32_t& unit) {
  unit = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = ascii::hex_digit(digits[i]);
    if (digit < 0) return false;
    unit = unit << 4 | static_cast<std::uint32_t>(digit);
  }
  return true;
}

namespace {

char unescaped(char kind) {
  switch (kind) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return kind;
  }
}

// Decodes \uXXXX at `at`, including the second half of a surrogate pair; returns the end.
std::size_t append_unicode(std::string& out, std::string_view inside, std::size_t at) {
  std::uint32_t unit = 0;
  std::uint32_t low = 0;
  read_hex4(inside.data() + at + 2, unit);
  at += 6;
  if (unit >= 0xD800 && unit < 0xDC00 && at + 6 <= inside.size() && read_hex4(inside.data() + at + 2, low)) {
    unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    at += 6;
  }
  append_utf8(out, unit);
  return at;
}

}  // namespace

void append_unescaped(std::string& out, std::string_view inside) {
  for (std::size_t at = 0; at < inside.size();) {
    const std::size_t escape = inside.find('\\', at);
    out.append(inside.substr(at, escape - at));
    if (escape == std::string_view::npos) return;
    if (inside[escape + 1] == 'u') {
      at = append_unicode(out, inside, escape);
    } else {
      out += unescaped(inside[escape + 1]);
      at = escape + 2;
    }
  }
}

std::string unescape(std::string_view inside) {
  std::string out;
  out.reserve(inside.size());
  append_unescaped(out, inside);
  return out;
}

}  // namespace fairlead::json
