#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fairlead::json::schema {

/// Which members or items of one value have been evaluated, for `unevaluatedProperties` and `unevaluatedItems`.
class EvaluatedSet {
 public:
  explicit EvaluatedSet(std::size_t size) : seen_(size) {}

  std::size_t size() const { return seen_.size(); }
  bool has(std::size_t index) const { return seen_[index]; }
  void mark(std::size_t index) { seen_[index] = true; }
  void mark_all() { std::fill(seen_.begin(), seen_.end(), true); }

  /// `other` must belong to the same value.
  void merge(const EvaluatedSet& other) {
    for (std::size_t i = 0; i < seen_.size(); ++i) seen_[i] = seen_[i] || other.seen_[i];
  }

 private:
  std::vector<bool> seen_;
};

}  // namespace fairlead::json::schema
