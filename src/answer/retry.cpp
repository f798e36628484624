#include "answer/retry.hpp"

#include <algorithm>
#include <ctime>

#include "base/parse_number.hpp"

namespace fairlead::answer {
namespace {

constexpr double max_backoff_seconds = 86'400;  // More than any deadline; avoids overflow.

std::optional<double> number_in(std::string_view text) {
  const auto number = parse_number<double>(text);
  if (!number || !(*number >= 0)) return std::nullopt;
  return std::min(*number, max_backoff_seconds * 1000);
}

Duration seconds(double count) {
  return std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(std::clamp(count, 0.0, max_backoff_seconds)));
}

// RFC 9110, 5.6.7: the IMF-fixdate format.
std::optional<std::chrono::system_clock::time_point> http_date(std::string_view text) {
  std::tm parts{};
  const std::string whole(text);
  const char* end = ::strptime(whole.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return std::chrono::system_clock::from_time_t(::timegm(&parts));
}

}  // namespace

bool is_retryable(int status) {
  return status == 429 || status >= 500;
}

std::optional<Duration> retry_after(const http::ClientResponse& response, std::chrono::system_clock::time_point now) {
  if (const auto field = response.header("retry-after-ms")) {
    if (const auto number = number_in(*field)) return seconds(*number / 1000);
  }
  const auto field = response.header("Retry-After");
  if (!field) return std::nullopt;
  if (const auto number = number_in(*field)) return seconds(*number);
  const auto date = http_date(*field);
  if (!date) return std::nullopt;
  return seconds(std::chrono::duration<double>(*date - now).count());
}

Duration backoff_before(std::int64_t next, Duration first, std::optional<Duration> requested_delay) {
  const auto doublings = std::clamp<std::int64_t>(next - 2, 0, 20);
  return std::max(first * (std::int64_t{1} << doublings), requested_delay.value_or(Duration{}));
}

}  // namespace fairlead::answer
