#include "json/schema/punycode.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace fairlead::json::schema {

namespace {

constexpr std::uint32_t digits_base = 36, t_min = 1, t_max = 26, skew = 38, damp = 700, first_bias = 72,
                        first_point = 128;
constexpr std::uint64_t overflow = std::numeric_limits<std::uint32_t>::max();

std::uint32_t adapted(std::uint64_t delta, std::size_t count, bool first) {
  delta = first ? delta / damp : delta / 2;
  delta += delta / count;
  std::uint32_t k = 0;
  for (; delta > ((digits_base - t_min) * t_max) / 2; k += digits_base) delta /= digits_base - t_min;
  return k + static_cast<std::uint32_t>((digits_base - t_min + 1) * delta / (delta + skew));
}

std::uint32_t threshold(std::uint32_t k, std::uint32_t bias) {
  return k <= bias ? t_min : std::min(k - bias, t_max);
}

std::optional<std::uint32_t> digit_of(char c) {
  if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a');
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0') + 26;
  return std::nullopt;
}

/// Consumes one generalized variable-length integer and adds it to `sum`.
bool consume_delta(std::string_view& text, std::uint32_t bias, std::uint64_t& sum) {
  std::uint64_t cost = 1;
  for (std::uint32_t k = digits_base;; k += digits_base) {
    const auto digit = text.empty() ? std::nullopt : digit_of(text.front());
    if (!digit) return false;
    text.remove_prefix(1);
    sum += *digit * cost;
    if (sum > overflow) return false;
    const auto t = threshold(k, bias);
    if (*digit < t) return true;
    cost *= digits_base - t;
    if (cost > overflow) return false;
  }
}

std::size_t digits_of(std::uint64_t delta, std::uint32_t bias) {
  std::size_t digits = 1;
  for (std::uint32_t k = digits_base;; k += digits_base, ++digits) {
    const auto t = threshold(k, bias);
    if (delta < t) return digits;
    delta = (delta - t) / (digits_base - t);
  }
}

}  // namespace

std::optional<std::vector<char32_t>> punycode_decoded(std::string_view text) {
  std::vector<char32_t> points;
  if (const auto hyphen = text.rfind('-'); hyphen != text.npos) {
    points.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(hyphen));
    text.remove_prefix(hyphen + 1);
  }
  std::uint64_t point = first_point;
  std::uint64_t index = 0;
  for (std::uint32_t bias = first_bias; !text.empty(); ++index) {
    const auto before = index;
    if (!consume_delta(text, bias, index)) return std::nullopt;
    const auto count = points.size() + 1;
    bias = adapted(index - before, count, before == 0);
    point += index / count;
    index %= count;
    if (point > 0x10FFFF) return std::nullopt;
    points.insert(points.begin() + static_cast<std::ptrdiff_t>(index), static_cast<char32_t>(point));
  }
  return points;
}

std::size_t punycode_length(const std::vector<char32_t>& points) {
  const auto basic =
      static_cast<std::size_t>(std::ranges::count_if(points, [](char32_t c) { return c < first_point; }));
  std::size_t length = basic == 0 ? 0 : basic + 1;
  std::size_t handled = basic;
  std::uint64_t delta = 0;
  std::uint32_t bias = first_bias;
  for (char32_t point = first_point; handled < points.size(); ++point, ++delta) {
    char32_t next = 0x110000;
    for (const auto each : points) next = each >= point ? std::min(next, each) : next;
    delta += std::uint64_t{next - point} * (handled + 1);
    point = next;
    for (const auto each : points) {
      if (each < point) ++delta;
      if (each != point) continue;
      length += digits_of(delta, bias);
      bias = adapted(delta, handled + 1, handled == basic);
      delta = 0;
      ++handled;
    }
  }
  return length;
}

}  // namespace fairlead::json::schema
