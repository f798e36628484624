#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <memory>

namespace fairlead::gateway {

/// Who is counted together.
enum class LimitPer : std::uint8_t { caller_and_tool, caller, tool, all };

struct LimitOptions {
  double rate = 0;                           ///< Calls a second, in the long run; 0 for as many as come.
  std::size_t burst = 1;                     ///< So many at once, after a rest.
  std::size_t concurrent = 0;                ///< Calls at a time; 0 for as many as come.
  std::size_t queue = 0;                     ///< So many wait for others to end; further ones are refused.
  Duration wait = std::chrono::seconds{30};  ///< And no longer than that.
  LimitPer per = LimitPer::caller_and_tool;
};

/// Refuses calls of tools, reads of resources and gets of prompts that are too many; the error says when to come again.
std::unique_ptr<Middleware> limit(LimitOptions options, Loop loop);

}  // namespace fairlead::gateway
