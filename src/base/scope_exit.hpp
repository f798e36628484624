#pragma once

#include <fairlead/base/non_copyable.hpp>
#include <utility>

namespace fairlead {

/// Calls a function when the scope ends, also by an exception or a cancelled coroutine, unless release() was called.
/// The function must not throw.
template <class F>
class ScopeExit : NonCopyable {
 public:
  explicit ScopeExit(F function) : function_(std::move(function)) {}
  ~ScopeExit() {
    if (armed_) function_();
  }

  void release() { armed_ = false; }

 private:
  F function_;
  bool armed_ = true;
};

}  // namespace fairlead
