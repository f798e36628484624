#include "json/schema/number.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace fairlead::json::schema {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr double two_to_63 = 9223372036854775808.0;
constexpr double two_to_64 = 18446744073709551616.0;

std::partial_ordering reversed(std::partial_ordering order) {
  return 0 <=> order;
}

std::partial_ordering order(std::int64_t left, std::int64_t right) {
  return left <=> right;
}

std::partial_ordering order(std::uint64_t left, std::uint64_t right) {
  return left <=> right;
}

std::partial_ordering order(double left, double right) {
  return left <=> right;
}

std::partial_ordering order(std::int64_t left, std::uint64_t right) {
  if (left < 0) return std::partial_ordering::less;
  return static_cast<std::uint64_t>(left) <=> right;
}

/// Compares the fractions only if the integer parts are equal.
template <class Integer>
std::partial_ordering order_with_fraction(Integer left, double right) {
  const double whole = std::trunc(right);
  const auto by_whole = order(left, static_cast<Integer>(whole));
  return by_whole == 0 ? order(whole, right) : by_whole;
}

std::partial_ordering order(std::int64_t left, double right) {
  if (std::isnan(right)) return std::partial_ordering::unordered;
  if (right >= two_to_63) return std::partial_ordering::less;
  if (right < -two_to_63) return std::partial_ordering::greater;
  return order_with_fraction(left, right);
}

std::partial_ordering order(std::uint64_t left, double right) {
  if (std::isnan(right)) return std::partial_ordering::unordered;
  if (right >= two_to_64) return std::partial_ordering::less;
  if (right < 0) return std::partial_ordering::greater;
  return order_with_fraction(left, right);
}

std::partial_ordering order(std::uint64_t left, std::int64_t right) {
  return reversed(order(right, left));
}

std::partial_ordering order(double left, std::int64_t right) {
  return reversed(order(right, left));
}

std::partial_ordering order(double left, std::uint64_t right) {
  return reversed(order(right, left));
}

Decimal stripped(Decimal decimal) {
  while (decimal.digits != 0 && decimal.digits % 10 == 0) {
    decimal.digits /= 10;
    ++decimal.exponent;
  }
  return decimal;
}

std::uint64_t magnitude(std::int64_t number) {
  return number < 0 ? ~static_cast<std::uint64_t>(number) + 1 : static_cast<std::uint64_t>(number);
}

/// Parses the scientific form of to_chars: d.ddde±xx.
std::optional<Decimal> decimal_of_double(double number) {
  if (!std::isfinite(number)) return std::nullopt;
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.begin(), text.end(), std::fabs(number), std::chars_format::scientific).ptr;
  Decimal decimal;
  bool after_point = false;
  auto at = text.begin();
  for (; at != end && *at != 'e'; ++at) {
    if (*at == '.') {
      after_point = true;
      continue;
    }
    decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(*at - '0');
    if (after_point) --decimal.exponent;
  }
  const bool plus = at != end && at + 1 != end && at[1] == '+';
  int exponent = 0;
  if (at != end) std::from_chars(at + (plus ? 2 : 1), end, exponent);
  decimal.exponent += exponent;
  return stripped(decimal);
}

/// 10^exponent mod modulus.
std::uint64_t power_of_ten(unsigned exponent, std::uint64_t modulus) {
  Wide result = 1 % modulus;
  Wide base = 10 % modulus;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = result * base % modulus;
    base = base * base % modulus;
  }
  return static_cast<std::uint64_t>(result);
}

}  // namespace

std::optional<Number> number_of(const boost::json::value& value) {
  switch (value.kind()) {
    case boost::json::kind::int64: return Number{value.get_int64()};
    case boost::json::kind::uint64: return simplest(Number{value.get_uint64()});
    case boost::json::kind::double_: return Number{value.get_double()};
    default: return std::nullopt;
  }
}

std::partial_ordering compare(const Number& left, const Number& right) {
  return std::visit([](auto a, auto b) { return order(a, b); }, left, right);
}

Number simplest(const Number& number) {
  if (const auto* large = std::get_if<std::uint64_t>(&number)) {
    if (*large <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return static_cast<std::int64_t>(*large);
    }
  }
  const auto* real = std::get_if<double>(&number);
  if (real == nullptr || std::trunc(*real) != *real) return number;
  if (*real >= -two_to_63 && *real < two_to_63) return static_cast<std::int64_t>(*real);
  if (*real > 0 && *real < two_to_64) return static_cast<std::uint64_t>(*real);
  return number;
}

bool is_integer(const boost::json::value& value) {
  const auto* real = value.if_double();
  return real == nullptr ? value.is_int64() || value.is_uint64() : std::trunc(*real) == *real;
}

std::optional<Decimal> decimal_of(const Number& number) {
  if (const auto* real = std::get_if<double>(&number)) return decimal_of_double(*real);
  if (const auto* large = std::get_if<std::uint64_t>(&number)) return stripped({*large, 0});
  return stripped({magnitude(std::get<std::int64_t>(number)), 0});
}

bool is_multiple(const Decimal& number, const Decimal& divisor) {
  if (number.digits == 0) return true;
  const int shift = number.exponent - divisor.exponent;
  if (shift >= 0) {
    const Wide scaled = Wide{number.digits} * power_of_ten(static_cast<unsigned>(shift), divisor.digits);
    return scaled % divisor.digits == 0;
  }
  // The digits do not end in 0, so a divisor scaled up by ten cannot divide them.
  return false;
}

}  // namespace fairlead::json::schema
