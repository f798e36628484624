#pragma once

#include <mutex>
#include <utility>

namespace fairlead {

/// A value that several threads share, reached only under its lock. What is done under it must not wait for anything
/// and must not come back here.
template <class T>
class Guarded {
 public:
  Guarded() = default;
  explicit Guarded(T value) : value_(std::move(value)) {}

  template <class F>
  decltype(auto) with(F function) {
    const std::lock_guard lock(mutex_);
    return function(value_);
  }
  template <class F>
  decltype(auto) with(F function) const {
    const std::lock_guard lock(mutex_);
    return function(value_);
  }

 private:
  mutable std::mutex mutex_;
  T value_;
};

}  // namespace fairlead
