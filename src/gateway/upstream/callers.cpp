#include "gateway/upstream/callers.hpp"

#include <algorithm>

namespace fairlead::gateway {

void Callers::add(const CallerId& caller) {
  any_ = true;
  all_.insert(caller);
}

void Callers::remove_session(std::uint64_t session, std::uint64_t newest) {
  if (all_.erase({.session = session}) == 0) return;
  some_are_gone_ = true;
  met_the_gone_ = std::max(met_the_gone_, newest);
}

void Callers::reset() {
  all_.clear();
  met_the_gone_ = 0;
  some_are_gone_ = any_ = false;
}

bool Callers::may_be_of_the_gone(const CallerId& caller) const {
  if (!caller.is_anonymous()) return some_are_gone_;
  return met_the_gone_ != 0 && caller.session <= met_the_gone_;
}

}  // namespace fairlead::gateway
