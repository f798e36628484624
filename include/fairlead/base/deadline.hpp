#pragma once

#include <compare>
#include <fairlead/base/clock.hpp>

namespace fairlead {

/// The moment after which an answer is of no use. A value; the default never comes.
class Deadline {
 public:
  constexpr Deadline() = default;

  static constexpr Deadline never() { return {}; }
  static constexpr Deadline at(TimePoint when) { return Deadline{when}; }
  /// A duration too long to be counted never ends; a negative one has passed.
  static Deadline in(Duration duration, const Clock& clock = real_clock());

  constexpr bool is_never() const { return when_ == TimePoint::max(); }
  constexpr TimePoint when() const { return when_; }
  bool passed(const Clock& clock = real_clock()) const { return !is_never() && clock.now() >= when_; }
  /// Zero once it has passed, `Duration::max()` if it never will.
  Duration remaining(const Clock& clock = real_clock()) const;

  constexpr auto operator<=>(const Deadline&) const = default;

 private:
  explicit constexpr Deadline(TimePoint when) : when_(when) {}

  TimePoint when_ = TimePoint::max();
};

/// A deadline that every sign of life moves, but never beyond a hard cap.
class IdleDeadline {
 public:
  IdleDeadline(Duration idle, Duration cap, const Clock& clock = real_clock());

  /// The peer gave a sign of life: `idle` counts from now again.
  void extend();
  /// The same for a sign that came at that time.
  void extend_from(TimePoint sign);

  /// Stays valid, and follows `extend`, as long as this object lives.
  const Deadline& current() const { return current_; }
  Deadline cap() const { return cap_; }

 private:
  const Clock& clock_;
  Duration idle_;
  Deadline cap_;
  Deadline current_;
};

}  // namespace fairlead
