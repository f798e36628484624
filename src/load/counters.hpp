#pragma once

#include <string>

#include "load/latency_histogram.hpp"

namespace fairlead::load {

/// Counters of one run.
struct LoadCounters {
  LatencyHistogram latency = {};  ///< Nanoseconds, of successful calls.
  std::uint64_t failures = 0;
  std::uint64_t bytes = 0;   ///< Of response bodies.
  std::uint64_t events = 0;  ///< Progress notifications.
  std::string first_failure = {};

  void fail(std::string why) {
    ++failures;
    if (first_failure.empty()) first_failure = std::move(why);
  }
};

/// Number of calls that may still start, over all connections.
struct CallBudget {
  std::uint64_t left = 0;

  bool take() {
    if (left == 0) return false;
    --left;
    return true;
  }
};

}  // namespace fairlead::load
