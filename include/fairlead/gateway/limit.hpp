#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/gateway/caller_patterns.hpp>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

/// Which calls share a counter.
enum class LimitPer : std::uint8_t { caller_and_tool, caller, tool, all };

struct LimitOptions {
  double rate = 0;                           ///< Average calls per second; 0 for no limit.
  std::size_t burst = 1;                     ///< Calls at once after an idle time.
  std::size_t concurrent = 0;                ///< Concurrent calls; 0 for no limit.
  std::size_t queue = 0;                     ///< Calls that wait for a free slot; more are refused.
  Duration wait = std::chrono::seconds{30};  ///< Longest wait for a free slot.
  LimitPer per = LimitPer::caller_and_tool;
  CallerPatterns callers = {};  ///< Calls of other callers pass and are not counted.
};

/// Rate and concurrency limit for tool calls, resource reads and prompt gets. Errors say when to retry.
std::unique_ptr<Middleware> limit(LimitOptions options, EventLoop loop);

}  // namespace fairlead::gateway
