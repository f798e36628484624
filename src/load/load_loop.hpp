#pragma once

#include <atomic>
#include <span>

#include "load/load_connection.hpp"

namespace fairlead::load {

/// Limits of a run: it ends at the first one reached.
struct LoadLimits {
  double seconds = 2;
  std::uint64_t calls = 1'000'000'000;
  double drain = 10;  ///< Time to wait for pending responses at the end.
};

struct LoadResult {
  LoadCounters counters = {};
  double seconds = 0;       ///< Until the last call started.
  std::uint64_t stuck = 0;  ///< Calls without a response.
  unsigned lost = 0;        ///< Failed connections.
};

using ConnectionSpan = std::span<const std::unique_ptr<LoadConnection>>;

/// Makes calls on all connections from the calling thread. `stop` ends the run early.
LoadResult drive_connections(ConnectionSpan connections, const LoadLimits& limits, const std::atomic<bool>& stop);

}  // namespace fairlead::load
