#include "config/scalars.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "base/duration.hpp"
#include "config/diagnostics.hpp"

namespace fairlead::config {
namespace {

struct Unit {
  std::string_view name;
  unsigned shift;
};

constexpr auto units = std::to_array<Unit>({{"", 0},
                                            {"B", 0},
                                            {"KB", 10},
                                            {"K", 10},
                                            {"KiB", 10},
                                            {"MB", 20},
                                            {"M", 20},
                                            {"MiB", 20},
                                            {"GB", 30},
                                            {"G", 30},
                                            {"GiB", 30},
                                            {"TB", 40},
                                            {"T", 40},
                                            {"TiB", 40}});

bool same_word(std::string_view one, std::string_view other) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(one, other, {}, lower, lower);
}

}  // namespace

Result<bool> read_flag(std::string_view text, std::string_view shown) {
  if (text == "true") return true;
  if (text == "false") return false;
  return fail(ErrorKind::invalid, fmt::format("expected true or false, got {}", value_in_quotes(shown)));
}

std::unexpected<Error> not_within(std::string_view shown, double min, double max) {
  return fail(ErrorKind::invalid,
              fmt::format("expected a number from {} to {}, got {}", min, max, value_in_quotes(shown)));
}

Result<Duration> read_time(std::string_view text, std::string_view shown) {
  if (text == "0" || text == "never") return Duration{};
  if (auto duration = read_duration(text)) return duration;
  return fail(ErrorKind::invalid,
              fmt::format("expected a duration such as 30s, 500ms or 2m, got {}", value_in_quotes(shown)));
}

Result<ByteSize> read_bytes(std::string_view text, std::string_view shown) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto unit = std::ranges::find_if(units, [&](const Unit& one) { return same_word(one.name, rest); });
  const bool known = error == std::errc() && unit != units.end();
  if (known && number <= std::numeric_limits<std::uint64_t>::max() >> unit->shift)
    return ByteSize{number << unit->shift};
  return fail(ErrorKind::invalid, fmt::format("expected a size such as 512MB or 2GB, got {}", value_in_quotes(shown)));
}

std::string write_number(double number) {
  return fmt::format("{}", number);
}

std::string write_time(Duration time) {
  return time == Duration{} ? "0" : write_duration(time);
}

std::string write_bytes(ByteSize bytes) {
  for (const auto& [name, shift] : {Unit{"GB", 30}, Unit{"MB", 20}, Unit{"KB", 10}}) {
    const auto size = std::uint64_t{1} << shift;
    if (bytes.count != 0 && bytes.count % size == 0) return fmt::format("{}{}", bytes.count / size, name);
  }
  return std::to_string(bytes.count);
}

std::unexpected<Error> none_of(std::string_view shown, std::string words) {
  return fail(ErrorKind::invalid, fmt::format("expected one of {}, got {}", words, value_in_quotes(shown)));
}

}  // namespace fairlead::config
