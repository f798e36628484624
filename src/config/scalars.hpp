#pragma once

#include <array>
#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/result.hpp>
#include <utility>

#include "base/parse_number.hpp"

/// Parses and prints scalar values. Errors say what to write; `shown` is the value as written, which errors quote.
namespace fairlead::config {

/// A size in bytes; 0 for no limit.
struct ByteSize {
  std::uint64_t count = 0;

  bool operator==(const ByteSize&) const = default;
};

Result<bool> read_flag(std::string_view text, std::string_view shown);
/// The error `expected a number from 0 to 10, got 'x'`.
std::unexpected<Error> not_within(std::string_view shown, double min, double max);

/// An integer if `N` is an integer type.
template <class N>
Result<N> read_number(std::string_view text, std::string_view shown, N min, N max) {
  const auto value = parse_number<N>(text);
  if (value && *value >= min && *value <= max) return *value;
  return not_within(shown, static_cast<double>(min), static_cast<double>(max));
}

/// `0` and `never` mean no limit.
Result<Duration> read_time(std::string_view text, std::string_view shown);
/// `512MB`, `2GiB`; a bare number counts bytes. Every unit is a power of 1024.
Result<ByteSize> read_bytes(std::string_view text, std::string_view shown);

std::string write_number(double number);
std::string write_time(Duration time);
std::string write_bytes(ByteSize bytes);

/// The names of an enumeration's values.
template <class E>
struct EnumNames;

template <class E, std::size_t n>
using EnumNameTable = std::array<std::pair<std::string_view, E>, n>;

/// The error `expected one of shared, caller, got 'x'`.
std::unexpected<Error> none_of(std::string_view shown, std::string words);

template <class E>
Result<E> read_enum(std::string_view text, std::string_view shown) {
  std::string words;
  for (const auto& [word, value] : EnumNames<E>::all) {
    if (word == text) return value;
    words += (words.empty() ? "" : ", ") + std::string(word);
  }
  return none_of(shown, std::move(words));
}

template <class E>
std::string write_enum(E wanted) {
  for (const auto& [word, value] : EnumNames<E>::all) {
    if (value == wanted) return std::string(word);
  }
  return {};
}

}  // namespace fairlead::config
