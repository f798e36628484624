#pragma once

#include <bit>

#include "base/histogram.hpp"

namespace fairlead::load {

/// Buckets with a resolution of 1.6 %: 64 equal steps per power of two.
struct LatencyBuckets {
  using Value = std::uint64_t;
  static constexpr unsigned step_bits = 6;
  static constexpr std::size_t steps = std::size_t{1} << step_bits;
  static constexpr std::size_t size = (64 - step_bits + 1) * steps;

  // Values below 64 are their own index; above, the index is made of the exponent and the seven highest bits.
  static std::size_t index_of(Value value) {
    if (value < steps) return static_cast<std::size_t>(value);
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - (step_bits + 1);
    return shift * steps + static_cast<std::size_t>(value >> shift);
  }

  static Value highest_in(std::size_t index) {
    if (index < 2 * steps) return index;
    const auto shift = static_cast<unsigned>(index / steps) - 1;
    const Value first = (index - shift * steps);
    return ((first + 1) << shift) - 1;
  }
};

using LatencyHistogram = Histogram<LatencyBuckets>;

}  // namespace fairlead::load
