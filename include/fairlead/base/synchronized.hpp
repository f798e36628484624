#pragma once

#include <mutex>
#include <utility>

namespace fairlead {

/// A value shared by several threads, accessible only under its mutex. Functions passed to with() must not block and
/// must not call with() of the same object.
template <class T>
class Synchronized {
 public:
  Synchronized() = default;
  explicit Synchronized(T value) : value_(std::move(value)) {}

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
