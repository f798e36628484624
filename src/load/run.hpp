#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>

#include "load/drive.hpp"
#include "load/open_lane.hpp"

namespace fairlead::load {

/// One measurement.
struct Plan {
  Target target;
  LaneStyle style = {};
  unsigned connections = 1;
  Bounds bounds = {};
  double warm_seconds = 0.3;         ///< Calls before the measured ones.
  std::optional<pid_t> server = {};  ///< Whose CPU and memory to read; a child's are known.
};

// What came of it, as the JSON document has it. What could not be known is absent.
struct Report {
  unsigned connections = 0;
  unsigned in_flight = 0;
  std::uint64_t calls = 0;
  std::uint64_t failures = 0;
  std::uint64_t stuck = 0;
  double seconds = 0;
  double calls_per_second = 0;
  double p50_us = 0, p90_us = 0, p99_us = 0, max_us = 0;
  double megabytes_per_second = 0;
  double events_per_second = 0;
  double driver_busy = 0;  ///< Of one core; near 1 the driver is what was measured.
  std::optional<double> cpu_seconds_per_100k = {};
  std::optional<double> rss_before_mb = {}, rss_loaded_mb = {};
  std::optional<std::string> first_failure = {};
};

Result<Report> run(const Plan& plan, const std::atomic<bool>& stop);

struct IdleReport {
  unsigned streams = 0;
  double open_seconds = 0;
  std::optional<double> rss_before_mb = {}, rss_open_mb = {}, kb_per_stream = {};
};

/// Opens so many sessions with a stream each, and holds them for a while.
Result<IdleReport> hold_idle_streams(const Target& target, unsigned count, double hold_seconds,
                                     std::optional<pid_t> server, const std::atomic<bool>& stop);

struct StartReport {
  unsigned starts = 0;
  double median_ms = 0, fastest_ms = 0;
  double rss_mb = 0;  ///< Of the last one, idle.
};

/// How long a command takes until it has answered `initialize`.
Result<StartReport> time_starts(const Target& target, unsigned times, const std::atomic<bool>& stop);

}  // namespace fairlead::load
