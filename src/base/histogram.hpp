#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace fairlead {

/// Counts values in buckets. `Buckets` has the type of the values (`Value`), the number of buckets (`size`), the bucket
/// of a value (`index_of`), and for percentiles the highest value of a bucket (`highest_in`).
template <class Buckets>
class Histogram {
 public:
  using Value = typename Buckets::Value;

  void record(Value value) {
    ++counts_[Buckets::index_of(value)];
    ++count_;
    sum_ += value;
    max_ = std::max(max_, value);
  }

  void add(const Histogram& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    count_ += other.count_;
    sum_ += other.sum_;
    max_ = std::max(max_, other.max_);
  }

  /// Values by bucket.
  const auto& counts() const { return counts_; }
  std::uint64_t count() const { return count_; }
  Value sum() const { return sum_; }
  Value max() const { return max_; }

  /// The percentile as a fraction: at(0.5) is the median. 0 if empty.
  Value at(double share) const {
    const auto wanted =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_))));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen >= wanted) return std::min(Buckets::highest_in(i), max_);
    }
    return max_;
  }

 private:
  std::array<std::uint64_t, Buckets::size> counts_ = {};
  std::uint64_t count_ = 0;
  Value sum_ = 0;
  Value max_ = 0;
};

}  // namespace fairlead
