#include <fairlead/base/deadline.hpp>

#include <algorithm>

namespace fairlead {

Deadline Deadline::in(Duration duration, const Clock& clock) {
  const auto now = clock.now();
  if (duration >= TimePoint::max() - std::max(now, TimePoint{})) return never();
  return at(now + std::max(duration, Duration::zero()));
}

Duration Deadline::remaining(const Clock& clock) const {
  if (is_never()) return Duration::max();
  return std::max(when_ - clock.now(), Duration::zero());
}

IdleDeadline::IdleDeadline(Duration idle, Duration cap, const Clock& clock)
    : clock_(clock), idle_(idle), cap_(Deadline::in(cap, clock)), current_(std::min(cap_, Deadline::in(idle, clock))) {}

void IdleDeadline::extend() {
  current_ = std::min(cap_, Deadline::in(idle_, clock_));
}

void IdleDeadline::extend_from(TimePoint sign) {
  const bool counts = idle_ < TimePoint::max() - std::max(sign, TimePoint{});
  current_ = std::min(cap_, std::max(current_, counts ? Deadline::at(sign + idle_) : Deadline::never()));
}

}  // namespace fairlead
