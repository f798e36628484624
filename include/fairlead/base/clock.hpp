#pragma once

#include <atomic>
#include <chrono>

namespace fairlead {

using Duration = std::chrono::steady_clock::duration;
using TimePoint = std::chrono::steady_clock::time_point;

/// Where deadlines and timers take the time from, so that a test can turn the hands itself.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint now() const noexcept = 0;
};

/// The machine's monotonic clock; it has no state, so everybody may share it.
const Clock& real_clock() noexcept;

/// Stands still until told otherwise. Safe to read from any thread.
class ManualClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return TimePoint{} + Duration{since_start_.load()}; }
  void advance(Duration step) noexcept { since_start_ += step.count(); }

 private:
  std::atomic<Duration::rep> since_start_ = 0;
};

}  // namespace fairlead
