#include <array>
#include <optional>

#include "base/ascii.hpp"
#include "json/schema/formats.hpp"

namespace fairlead::json::schema::formats {

namespace {

/// Exactly `width` digits.
std::optional<int> consume_number(std::string_view& text, std::size_t width) {
  const auto digits = text.substr(0, width);
  if (digits.size() != width || !std::ranges::all_of(digits, ascii::is_digit)) return std::nullopt;
  text.remove_prefix(width);
  int number = 0;
  for (const char digit : digits) number = number * 10 + (digit - '0');
  return number;
}

int days_in(int year, int month) {
  constexpr std::array days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : days[static_cast<std::size_t>(month - 1)];
}

bool consume_date(std::string_view& text) {
  const auto year = consume_number(text, 4);
  if (!year || !ascii::consume(text, "-")) return false;
  const auto month = consume_number(text, 2);
  if (!month || *month < 1 || *month > 12 || !ascii::consume(text, "-")) return false;
  const auto day = consume_number(text, 2);
  return day && *day >= 1 && *day <= days_in(*year, *month);
}

/// The offset from UTC in minutes.
std::optional<int> consume_offset(std::string_view& text) {
  if (ascii::consume(text, "Z") || ascii::consume(text, "z")) return 0;
  const int sign = text.starts_with('-') ? -1 : 1;
  if (!ascii::consume(text, "+") && !ascii::consume(text, "-")) return std::nullopt;
  const auto hours = consume_number(text, 2);
  if (!hours || *hours > 23 || !ascii::consume(text, ":")) return std::nullopt;
  const auto minutes = consume_number(text, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  return sign * (*hours * 60 + *minutes);
}

/// Numbers with units in this order, each at most once and without gaps (RFC 3339, appendix A).
bool consume_units(std::string_view& text, std::string_view units) {
  bool started = false;
  while (!units.empty()) {
    auto rest = text;
    if (ascii::consume_while(rest, ascii::is_digit).empty() || rest.empty()) break;
    const auto unit = units.find(rest.front());
    if (unit == units.npos || (started && unit != 0)) return false;
    started = true;
    units.remove_prefix(unit + 1);
    text = rest.substr(1);
  }
  return started;
}

}  // namespace

bool date(std::string_view text) {
  return consume_date(text) && text.empty();
}

bool time(std::string_view text) {
  const auto hour = consume_number(text, 2);
  if (!hour || *hour > 23 || !ascii::consume(text, ":")) return false;
  const auto minute = consume_number(text, 2);
  if (!minute || *minute > 59 || !ascii::consume(text, ":")) return false;
  const auto second = consume_number(text, 2);
  if (!second || *second > 60) return false;
  if (ascii::consume(text, ".") && ascii::consume_while(text, ascii::is_digit).empty()) return false;
  const auto offset = consume_offset(text);
  if (!offset || !text.empty()) return false;
  // A leap second occurs only at the end of a UTC day.
  constexpr int day = 24 * 60;
  const int utc = (*hour * 60 + *minute - *offset + 2 * day) % day;
  return *second < 60 || utc == day - 1;
}

bool date_time(std::string_view text) {
  return consume_date(text) && (ascii::consume(text, "T") || ascii::consume(text, "t")) && time(text);
}

bool duration(std::string_view text) {
  if (!ascii::consume(text, "P")) return false;
  if (auto weeks = text; consume_units(weeks, "W")) return weeks.empty();
  const bool dated = !text.starts_with('T');
  if (dated && !consume_units(text, "YMD")) return false;
  if (text.empty()) return dated;
  return ascii::consume(text, "T") && consume_units(text, "HMS") && text.empty();
}

}  // namespace fairlead::json::schema::formats
