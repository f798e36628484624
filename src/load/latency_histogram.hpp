#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace fairlead::load {

/// Histogram with a resolution of 1.6 %: 64 equal steps per power of two.
class LatencyHistogram {
 public:
  void record(std::uint64_t value);
  void add(const LatencyHistogram& other);

  std::uint64_t count() const { return count_; }
  std::uint64_t max() const { return max_; }

  /// The percentile as a fraction: at(0.5) is the median. 0 if empty.
  std::uint64_t at(double share) const;

 private:
  static constexpr unsigned step_bits = 6;
  static constexpr std::size_t steps = std::size_t{1} << step_bits;
  static constexpr std::size_t size = (64 - step_bits + 1) * steps;

  static std::size_t index_of(std::uint64_t value);
  static std::uint64_t highest_in(std::size_t index);

  std::array<std::uint64_t, size> counts_ = {};
  std::uint64_t count_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace fairlead::load
