#pragma once

#include <boost/json.hpp>
#include <compare>
#include <cstdint>
#include <optional>
#include <variant>

namespace fairlead::json::schema {

/// A JSON number as Boost.JSON holds it; integers below 2^63 are always `int64_t`, so equal integers compare alike.
using Number = std::variant<std::int64_t, std::uint64_t, double>;

std::optional<Number> number_of(const boost::json::value& value);

/// By mathematical value: no rounding of a large integer to a double.
std::partial_ordering compare(const Number& left, const Number& right);

/// The integer kind for a double without a fraction, where one can hold it.
Number simplest(const Number& number);

/// 1.0 is an integer, as JSON Schema has it.
bool is_integer(const boost::json::value& value);

/// digits × 10^exponent; digits do not end in 0 unless the number is 0.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

/// The magnitude as its shortest decimal writing, so that 0.01 means one hundredth; nothing for infinity.
std::optional<Decimal> decimal_of(const Number& number);

/// `divisor` is not 0.
bool is_multiple(const Decimal& number, const Decimal& divisor);

}  // namespace fairlead::json::schema
