#include "load/latency_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fairlead::load {

// Values below 64 are their own index; above, the index is made of the exponent and the seven highest bits.
std::size_t LatencyHistogram::index_of(std::uint64_t value) {
  if (value < steps) return static_cast<std::size_t>(value);
  const auto shift = static_cast<unsigned>(std::bit_width(value)) - (step_bits + 1);
  return shift * steps + static_cast<std::size_t>(value >> shift);
}

std::uint64_t LatencyHistogram::highest_in(std::size_t index) {
  if (index < 2 * steps) return index;
  const auto shift = static_cast<unsigned>(index / steps) - 1;
  const std::uint64_t first = (index - shift * steps);
  return ((first + 1) << shift) - 1;
}

void LatencyHistogram::record(std::uint64_t value) {
  ++counts_[index_of(value)];
  ++count_;
  max_ = std::max(max_, value);
}

void LatencyHistogram::add(const LatencyHistogram& other) {
  for (std::size_t i = 0; i < size; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
}

std::uint64_t LatencyHistogram::at(double share) const {
  if (count_ == 0) return 0;
  const auto wanted =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_))));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < size; ++i) {
    seen += counts_[i];
    if (seen >= wanted) return std::min(highest_in(i), max_);
  }
  return max_;
}

}  // namespace fairlead::load
