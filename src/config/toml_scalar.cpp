#include "config/toml_scalar.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace fairlead::config {
namespace {

bool is_digit_of(char c, int base) {
  if (c >= '0' && c <= '9') return c - '0' < base;
  const char lower = static_cast<char>(c | ' ');
  return base == 16 && lower >= 'a' && lower <= 'f';
}

// Removes single underscores between digits. Nothing if other characters occur.
std::optional<std::string> joined(std::string_view digits, int base = 10) {
  std::string out;
  for (std::size_t at = 0; at < digits.size(); ++at) {
    const bool between = at > 0 && at + 1 < digits.size() && digits[at - 1] != '_';
    if (digits[at] == '_' && between) continue;
    if (!is_digit_of(digits[at], base)) return std::nullopt;
    out += digits[at];
  }
  return out.empty() ? std::nullopt : std::optional(std::move(out));
}

std::optional<std::string> in_base(std::string_view digits, int base) {
  const auto plain = joined(digits, base);
  std::uint64_t value = 0;
  if (!plain) return std::nullopt;
  const auto [end, failed] = std::from_chars(plain->data(), plain->data() + plain->size(), value, base);
  if (failed != std::errc() || value > INT64_MAX) return std::nullopt;
  return std::to_string(value);
}

/// Removes the sign of `word` and returns "-" or "".
std::string split_sign(std::string_view& word) {
  const bool is_signed = word.starts_with('+') || word.starts_with('-');
  const std::string sign = word.starts_with('-') ? "-" : "";
  if (is_signed) word.remove_prefix(1);
  return sign;
}

// A decimal integer or float.
std::optional<std::string> number(std::string_view word) {
  const auto sign = split_sign(word);
  if (word == "inf" || word == "nan") return sign + std::string(word);
  const auto exponent_at = word.find_first_of("eE");
  const auto point_at = word.substr(0, exponent_at).find('.');
  const auto whole = joined(word.substr(0, std::min(point_at, exponent_at)));
  if (!whole || (whole->size() > 1 && whole->starts_with('0'))) return std::nullopt;
  auto out = sign + *whole;
  if (point_at != std::string_view::npos) {
    const auto end = std::min(exponent_at, word.size());
    const auto fraction = joined(word.substr(point_at + 1, end - point_at - 1));
    if (!fraction) return std::nullopt;
    out += "." + *fraction;
  }
  if (exponent_at != std::string_view::npos) {
    auto exponent = word.substr(exponent_at + 1);
    const auto exponent_sign = split_sign(exponent);
    const auto digits = joined(exponent);
    if (!digits) return std::nullopt;
    out += "e" + exponent_sign + *digits;
  }
  return out;
}

// `#` in the pattern stands for a digit.
bool fits(std::string_view word, std::string_view pattern) {
  return std::ranges::equal(word, pattern, [](char c, char p) { return p == '#' ? c >= '0' && c <= '9' : c == p; });
}

bool is_toml_time(std::string_view word) {
  constexpr std::size_t seconds_end = 8;
  if (!fits(word.substr(0, seconds_end), "##:##:##")) return false;
  const auto rest = word.substr(seconds_end);
  return rest.empty() || (rest.front() == '.' && rest.size() > 1 &&
                          std::ranges::all_of(rest.substr(1), [](char c) { return c >= '0' && c <= '9'; }));
}

bool is_date_or_time(std::string_view word) {
  if (is_toml_date(word) || is_toml_time(word)) return true;
  constexpr std::size_t date_end = 10;
  constexpr std::size_t offset_size = 6;
  if (word.size() <= date_end || !is_toml_date(word.substr(0, date_end))) return false;
  if (std::string_view("Tt ").find(word[date_end]) == std::string_view::npos) return false;
  auto time = word.substr(date_end + 1);
  if (time.ends_with('Z') || time.ends_with('z')) {
    time.remove_suffix(1);
  } else if (time.size() > offset_size) {
    const auto offset = time.substr(time.size() - offset_size);
    if (fits(offset, "+##:##") || fits(offset, "-##:##")) time.remove_suffix(offset_size);
  }
  return is_toml_time(time);
}

}  // namespace

bool is_toml_date(std::string_view word) {
  return fits(word, "####-##-##");
}

std::optional<std::string> read_toml_scalar(std::string_view word) {
  if (word == "true" || word == "false" || is_date_or_time(word)) return std::string(word);
  if (word.starts_with("0x")) return in_base(word.substr(2), 16);
  if (word.starts_with("0o")) return in_base(word.substr(2), 8);
  if (word.starts_with("0b")) return in_base(word.substr(2), 2);
  return number(word);
}

}  // namespace fairlead::config
