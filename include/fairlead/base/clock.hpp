#pragma once

#include <atomic>
#include <chrono>

namespace fairlead {

using Duration = std::chrono::steady_clock::duration;
using TimePoint = std::chrono::steady_clock::time_point;

/// Time source of deadlines and timers; tests use ManualClock.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint now() const noexcept = 0;
};

/// The system's monotonic clock. Stateless, so it can be shared between threads.
const Clock& real_clock() noexcept;

/// A clock that moves only by advance(). Thread-safe.
class ManualClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return TimePoint{} + Duration{since_start_.load()}; }
  void advance(Duration step) noexcept { since_start_ += step.count(); }

 private:
  std::atomic<Duration::rep> since_start_ = 0;
};

}  // namespace fairlead
