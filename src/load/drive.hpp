#pragma once

#include <atomic>
#include <memory>
#include <span>

#include "load/lane.hpp"

namespace fairlead::load {

/// When a run ends: whichever comes first.
struct Bounds {
  double seconds = 2;
  std::uint64_t calls = 1'000'000'000;
  double patience = 10;  ///< Seconds to wait for the answers that are under way at the end.
};

struct Driven {
  Tally tally = {};
  double seconds = 0;       ///< Until the last call began.
  std::uint64_t stuck = 0;  ///< Calls that nobody answered.
  unsigned lost = 0;        ///< Connections that broke.
};

/// Calls on all lanes at once, by this thread alone. `stop` ends it early.
Driven drive(std::span<const std::unique_ptr<Lane>> lanes, const Bounds& bounds, const std::atomic<bool>& stop);

}  // namespace fairlead::load
