#pragma once

#include <fairlead/base/timer_wheel.hpp>

#include "base/promise.hpp"

namespace fairlead::gateway {

/// Waits, by the clock of the timer wheel. Returns false if the caller was cancelled.
inline Task<bool> async_sleep(TimerWheel& timers, Duration time) {
  Promise<bool> over;
  Timer timer(timers, [&over] { over.set(true); });
  timer.arm(Deadline::in(time, timers.clock()));
  const auto passed = co_await over.wait();
  co_return passed.has_value();
}

}  // namespace fairlead::gateway
