#pragma once

#include <cstdint>
#include <string>

#include "load/histogram.hpp"

namespace fairlead::load {

/// What came of the calls of one run.
struct Tally {
  Histogram latency = {};  ///< In nanoseconds, of the calls that were answered as expected.
  std::uint64_t failures = 0;
  std::uint64_t bytes = 0;   ///< Of the bodies of answers.
  std::uint64_t events = 0;  ///< Progress notifications.
  std::string first_failure = {};

  void fail(std::string why) {
    ++failures;
    if (first_failure.empty()) first_failure = std::move(why);
  }
};

/// How many calls may still begin, for all lanes together.
struct Allowance {
  std::uint64_t left = 0;

  bool take() {
    if (left == 0) return false;
    --left;
    return true;
  }
};

}  // namespace fairlead::load
