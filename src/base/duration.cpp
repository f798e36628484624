#include "base/duration.hpp"

#include <charconv>
#include <fmt/format.h>

namespace fairlead {
namespace {

constexpr double longest = 100.0 * 24 * 3600;

// Length of a unit in seconds; 0 if it is unknown.
double length_of(std::string_view unit) {
  if (unit.empty() || unit == "s") return 1;
  if (unit == "ms") return 0.001;
  if (unit == "m") return 60;
  return unit == "h" ? 3600 : 0;
}

}  // namespace

Result<Duration> read_duration(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const double unit = length_of(text.substr(static_cast<std::size_t>(end - text.data())));
  const double seconds = number * unit;
  if (error != std::errc{} || !(seconds > 0 && seconds <= longest)) {
    return fail(ErrorKind::invalid, fmt::format("expected a duration such as 30s, 500ms or 2m, got '{}'", text));
  }
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

std::string write_duration(Duration duration) {
  using namespace std::chrono_literals;
  const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(duration);
  if (whole % 1h == 0ms) return fmt::format("{}h", whole / 1h);
  if (whole % 1min == 0ms) return fmt::format("{}m", whole / 1min);
  if (whole % 1s == 0ms) return fmt::format("{}s", whole / 1s);
  return fmt::format("{}ms", whole.count());
}

}  // namespace fairlead
