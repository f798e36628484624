#include "gateway/upstream/caller_history.hpp"

#include <algorithm>

namespace fairlead::gateway {

void CallerHistory::add(const CallerId& caller) {
  any_ = true;
  all_.insert(caller);
}

void CallerHistory::remove_session(std::uint64_t session, std::uint64_t newest) {
  if (all_.erase({.session = session}) == 0) return;
  any_ended_ = true;
  newest_overlapping_ = std::max(newest_overlapping_, newest);
}

void CallerHistory::reset() {
  all_.clear();
  newest_overlapping_ = 0;
  any_ended_ = any_ = false;
}

bool CallerHistory::may_come_from_ended_session(const CallerId& caller) const {
  if (!caller.is_anonymous()) return any_ended_;
  return newest_overlapping_ != 0 && caller.session <= newest_overlapping_;
}

}  // namespace fairlead::gateway
