#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/deadline.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <functional>
#include <limits>

namespace fairlead {

class Timer;

/// Hierarchical timer wheel of one worker: arming, rearming and disarming cost a few pointer writes, no system call.
///
/// A timer fires at the first tick (10 ms) at or after its deadline, never before it. Not thread-safe.
class TimerWheel : NonCopyable {
 public:
  static constexpr Duration tick = std::chrono::milliseconds{10};

  /// Called with the time at which advance() is needed next, whenever that time becomes earlier; not called while no
  /// timer is armed. Without it, the owner calls advance().
  using Wake = std::function<void(TimePoint)>;

  explicit TimerWheel(const Clock& clock = real_clock(), Wake wake = {});
  /// Disarms all timers; they may outlive the wheel but must not be armed again.
  ~TimerWheel();

  /// Fires all timers that are due by the clock.
  void advance();

  std::size_t armed() const { return armed_; }
  const Clock& clock() const { return clock_; }

 private:
  friend class Timer;

  // Node of a circular list; each slot holds the list's head.
  struct Links {
    Links* previous = this;
    Links* next = this;
  };
  // 64^4 ticks of 10 ms are 46 hours; later timers wait in the last level and are inserted again.
  static constexpr unsigned levels = 4, slot_bits = 6, slots = 1u << slot_bits;
  static constexpr std::uint64_t slot_mask = slots - 1, no_tick = std::numeric_limits<std::uint64_t>::max();

  void arm(Timer& timer, Deadline deadline);
  void disarm(Timer& timer);
  void insert(Timer& timer);
  void unlink(Timer& timer);
  void cascade();
  void collect(unsigned level, unsigned slot);
  void fire_due();
  std::uint64_t next_tick() const;
  void request_wake(std::uint64_t at);
  std::uint64_t ticks_at(TimePoint time) const;
  TimePoint time_of(std::uint64_t at) const;

  const Clock& clock_;
  Wake wake_;
  TimePoint origin_;
  std::uint64_t now_ = 0;              // The last tick that was processed.
  std::uint64_t requested_ = no_tick;  // The tick `wake_` was last called for.
  std::size_t armed_ = 0;
  bool advancing_ = false;
  std::array<std::uint64_t, levels> occupied_{};
  std::array<std::array<Links, slots>, levels> wheel_;
  Links due_;
};

/// One timer on a wheel, usually a member of the object it belongs to. The destructor disarms it.
class Timer : private TimerWheel::Links, NonCopyable {
 public:
  /// `on_expiry` may arm, disarm or destroy any timer, including this one. The wheel must exist during arm().
  Timer(TimerWheel& wheel, std::function<void()> on_expiry) : wheel_(wheel), on_expiry_(std::move(on_expiry)) {}
  ~Timer() { disarm(); }

  /// Arms or rearms the timer. A deadline in the past fires at the next tick; Deadline::never() disarms.
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
