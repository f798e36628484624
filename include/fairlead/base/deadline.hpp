#pragma once

#include <compare>
#include <fairlead/base/clock.hpp>

namespace fairlead {

/// The point in time at which an operation times out. The default never passes.
class Deadline {
 public:
  constexpr Deadline() = default;

  static constexpr Deadline never() { return {}; }
  static constexpr Deadline at(TimePoint when) { return Deadline{when}; }
  /// A duration that overflows the clock gives never(); a negative one has already passed.
  static Deadline in(Duration duration, const Clock& clock = real_clock());

  constexpr bool is_never() const { return when_ == TimePoint::max(); }
  constexpr TimePoint when() const { return when_; }
  bool passed(const Clock& clock = real_clock()) const { return !is_never() && clock.now() >= when_; }
  /// Zero once the deadline has passed, `Duration::max()` for never().
  Duration remaining(const Clock& clock = real_clock()) const;

  constexpr auto operator<=>(const Deadline&) const = default;

 private:
  explicit constexpr Deadline(TimePoint when) : when_(when) {}

  TimePoint when_ = TimePoint::max();
};

/// An idle timeout: each sign of activity restarts it, up to a total limit (`cap`).
class IdleDeadline {
 public:
  IdleDeadline(Duration idle, Duration cap, const Clock& clock = real_clock());

  /// Restarts the idle timeout from now.
  void extend();
  /// Restarts the idle timeout from `sign`, the time of the activity.
  void extend_from(TimePoint sign);

  /// A reference that follows extend(). Valid for the lifetime of this object.
  const Deadline& current() const { return current_; }
  Deadline cap() const { return cap_; }

 private:
  const Clock& clock_;
  Duration idle_;
  Deadline cap_;
  Deadline current_;
};

}  // namespace fairlead
