#include "cli/duration.hpp"

#include <charconv>
#include <fmt/format.h>

namespace fairlead::cli {
namespace {

constexpr double longest = 100.0 * 24 * 3600;

// In seconds; 0 for what is no unit.
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
    return fail(ErrorKind::invalid, fmt::format("'{}' is no duration: write 500ms, 30s, 2m or 1h", text));
  }
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

}  // namespace fairlead::cli
