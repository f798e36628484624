#pragma once

#include "base/histogram.hpp"

namespace fairlead::gateway {

/// Buckets of Prometheus for durations in seconds, with roughly logarithmic, inclusive upper bounds.
struct DurationBuckets {
  using Value = double;
  /// The last bucket is for longer durations.
  static constexpr auto bounds = std::to_array<double>(
      {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300});
  static constexpr std::size_t size = bounds.size() + 1;

  static std::size_t index_of(double seconds) {
    return static_cast<std::size_t>(std::ranges::lower_bound(bounds, seconds) - bounds.begin());
  }
};

using DurationHistogram = Histogram<DurationBuckets>;

}  // namespace fairlead::gateway
