#pragma once

#include <boost/json.hpp>
#include <compare>
#include <cstdint>
#include <optional>
#include <variant>

namespace fairlead::json::schema {

/// A JSON number as in Boost.JSON; integers below 2^63 are always `int64_t`, so equal integers have the same type.
using Number = std::variant<std::int64_t, std::uint64_t, double>;

std::optional<Number> number_of(const boost::json::value& value);

/// Compares by mathematical value, without rounding large integers to double.
std::partial_ordering compare(const Number& left, const Number& right);

/// Converts a double without a fraction to an integer if it fits.
Number simplest(const Number& number);

/// 1.0 counts as an integer, as in JSON Schema.
bool is_integer(const boost::json::value& value);

/// digits × 10^exponent; digits do not end in 0 unless the number is 0.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

/// The magnitude in its shortest decimal form, so that 0.01 is exactly one hundredth; nothing for infinity.
std::optional<Decimal> decimal_of(const Number& number);

/// `divisor` must not be 0.
bool is_multiple(const Decimal& number, const Decimal& divisor);

}  // namespace fairlead::json::schema
