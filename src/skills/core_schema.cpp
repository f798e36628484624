#include "skills/core_schema.hpp"

#include <algorithm>
#include <charconv>
#include <fairlead/json/writer.hpp>
#include <initializer_list>
#include <optional>
#include <system_error>
#include <utility>

#include "base/ascii.hpp"

namespace fairlead::skills {
namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

bool consists_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

constexpr std::string_view decimal_digits = "0123456789";

std::string_view without_sign(std::string_view text) {
  return text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text;
}

std::string to_json(double number) {
  std::string json;
  json::write_number(json, number);
  return json;
}

// Beyond 2^53 rounded, as in JavaScript.
std::string based_json(std::string_view digits, int base) {
  double number = 0;
  for (const char c : digits) number = number * base + ascii::hex_digit(c);
  return to_json(number);
}

// `.5`, `1.`, `1.5`, `1e3`: digits with a point, an exponent or both. Without the sign.
bool is_float(std::string_view text) {
  const auto exponent = text.find_first_of("eE");
  const auto mantissa = text.substr(0, exponent);
  const auto point = mantissa.find('.');
  const auto whole = mantissa.substr(0, point);
  const auto fraction = point == std::string_view::npos ? std::string_view() : mantissa.substr(point + 1);
  const bool has_exponent = exponent != std::string_view::npos;
  if (point == std::string_view::npos && !has_exponent) return false;
  if (has_exponent && !consists_of(without_sign(text.substr(exponent + 1)), decimal_digits)) return false;
  const bool fits = (whole.empty() || consists_of(whole, decimal_digits)) &&
                    (fraction.empty() || consists_of(fraction, decimal_digits));
  return fits && !(whole.empty() && fraction.empty());
}

std::string float_json(std::string_view text) {
  const auto unsigned_text = without_sign(text);
  double number = 0;
  const auto* end = unsigned_text.data() + unsigned_text.size();
  const auto read = std::from_chars(unsigned_text.data(), end, number);
  if (read.ec == std::errc::result_out_of_range) {
    const bool is_small = unsigned_text.contains("e-") || unsigned_text.contains("E-");
    return is_small ? "0" : "null";
  }
  return to_json(text.starts_with('-') ? -number : number);
}

// JSON allows neither a plus sign nor leading zeros. Integers beyond 64 bits are rounded, as in JavaScript: both sides
// then write the same digits.
std::string integer_json(std::string_view text) {
  constexpr std::size_t safe_digits = 18;
  auto digits = without_sign(text);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  if (digits.size() > safe_digits) return float_json(text);
  return (text.starts_with('-') ? "-" : "") + std::string(digits);
}

std::optional<std::string> number_json(std::string_view text) {
  const auto unsigned_text = without_sign(text);
  if (consists_of(unsigned_text, decimal_digits)) return integer_json(text);
  if (text.starts_with("0o") && consists_of(text.substr(2), "01234567")) return based_json(text.substr(2), 8);
  if (text.starts_with("0x") && consists_of(text.substr(2), "0123456789abcdefABCDEF")) {
    return based_json(text.substr(2), 16);
  }
  if (is_float(unsigned_text)) return float_json(text);
  // JSON has no infinity.
  const bool is_infinite = is_one_of(unsigned_text, {".inf", ".Inf", ".INF"});
  if (is_infinite || is_one_of(text, {".nan", ".NaN", ".NAN"})) return "null";
  return std::nullopt;
}

}  // namespace

std::string Scalar::json() const {
  if (!is_text) return value;
  std::string text;
  json::write_string(text, value);
  return text;
}

Scalar resolve_plain_scalar(std::string_view text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return {.is_text = false, .value = "null"};
  if (is_one_of(text, {"true", "True", "TRUE"})) return {.is_text = false, .value = "true"};
  if (is_one_of(text, {"false", "False", "FALSE"})) return {.is_text = false, .value = "false"};
  if (auto number = number_json(text)) return {.is_text = false, .value = std::move(*number)};
  return {.is_text = true, .value = std::string(text)};
}

}  // namespace fairlead::skills
