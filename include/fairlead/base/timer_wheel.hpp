#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/deadline.hpp>
#include <functional>
#include <limits>

namespace fairlead {

class Timer;

/// Coarse timers of one worker: arming, moving and disarming cost a few pointer writes and no system call.
///
/// A timer fires at the first tick at or after its deadline, never before it. Not thread-safe.
class TimerWheel {
 public:
  static constexpr Duration tick = std::chrono::milliseconds{10};

  /// Called with the time of the next `advance` that matters, whenever that time comes nearer; never while nothing
  /// is armed. A wheel without it is advanced by hand.
  using Wake = std::function<void(TimePoint)>;

  explicit TimerWheel(const Clock& clock = real_clock(), Wake wake = {});
  TimerWheel(const TimerWheel&) = delete;
  TimerWheel& operator=(const TimerWheel&) = delete;
  /// Timers still armed are disarmed; they may outlive the wheel, but not be armed again.
  ~TimerWheel();

  /// Fires what is due by the clock.
  void advance();

  std::size_t armed() const { return armed_; }
  const Clock& clock() const { return clock_; }

 private:
  friend class Timer;

  // Links of a circular list; a slot's own links are its head.
  struct Links {
    Links* previous = this;
    Links* next = this;
  };
  // 64^4 ticks of 10 ms are 46 hours; what lies beyond waits in the last level and is placed again.
  static constexpr unsigned levels = 4, slot_bits = 6, slots = 1u << slot_bits;
  static constexpr std::uint64_t lap = slots - 1, no_tick = std::numeric_limits<std::uint64_t>::max();

  void arm(Timer& timer, Deadline deadline);
  void disarm(Timer& timer);
  void place(Timer& timer);
  void unlink(Timer& timer);
  void cascade();
  void collect(unsigned level, unsigned slot);
  void fire_due();
  std::uint64_t next_stop() const;
  void ask(std::uint64_t at);
  std::uint64_t ticks_at(TimePoint time) const;
  TimePoint time_of(std::uint64_t at) const;

  const Clock& clock_;
  Wake wake_;
  TimePoint origin_;
  std::uint64_t now_ = 0;          // The last tick that was handled.
  std::uint64_t asked_ = no_tick;  // The tick `wake_` was last called for.
  std::size_t armed_ = 0;
  bool advancing_ = false;
  std::array<std::uint64_t, levels> occupied_{};
  std::array<std::array<Links, slots>, levels> wheel_;
  Links due_;
};

/// One alarm on a wheel, embedded in whatever it guards. Disarms itself on destruction.
class Timer : private TimerWheel::Links {
 public:
  /// `on_expiry` may arm, disarm or destroy any timer, this one included. The wheel outlives every call of `arm`.
  Timer(TimerWheel& wheel, std::function<void()> on_expiry) : wheel_(wheel), on_expiry_(std::move(on_expiry)) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { disarm(); }

  /// Replaces the deadline of an armed timer. One that has passed fires at the next tick; one that never comes disarms.
  void arm(Deadline deadline) { wheel_.arm(*this, deadline); }
  void disarm() {
    if (armed_) wheel_.disarm(*this);
  }
  bool armed() const { return armed_; }

 private:
  friend class TimerWheel;

  TimerWheel& wheel_;
  std::function<void()> on_expiry_;
  std::uint64_t expiry_ = 0;  // In ticks.
  std::uint8_t level_ = 0, slot_ = 0;
  bool armed_ = false, is_due_ = false;
};

}  // namespace fairlead
