#pragma once

#include <sys/types.h>

#include "load/load_loop.hpp"
#include "load/open_connection.hpp"

namespace fairlead::load {

/// Settings of one measurement.
struct LoadPlan {
  LoadTarget target;
  CallStyle style = {};
  unsigned connections = 1;
  LoadLimits limits = {};
  double warm_seconds = 0.3;         ///< Warm-up before the measurement.
  std::optional<pid_t> server = {};  ///< Process to measure; set automatically for a child process.
};

// The result, with the member names of the JSON output. Unknown values are absent.
struct LoadReport {
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
  double driver_busy = 0;  ///< CPU share of the driver; near 1, the driver was the bottleneck.
  std::optional<double> cpu_seconds_per_100k = {};
  std::optional<double> rss_before_mb = {}, rss_loaded_mb = {};
  std::optional<std::string> first_failure = {};
};

Result<LoadReport> run_load(const LoadPlan& plan, const std::atomic<bool>& stop);

struct IdleReport {
  unsigned streams = 0;
  double open_seconds = 0;
  std::optional<double> rss_before_mb = {}, rss_open_mb = {}, kb_per_stream = {};
};

/// Opens `count` sessions with one stream each and keeps them open for `hold_seconds`.
Result<IdleReport> hold_idle_streams(const LoadTarget& target, unsigned count, double hold_seconds,
                                     std::optional<pid_t> server, const std::atomic<bool>& stop);

struct StartReport {
  unsigned starts = 0;
  double median_ms = 0, fastest_ms = 0;
  double rss_mb = 0;  ///< Of the last process, idle.
};

/// Measures the time from starting the command to its response to `initialize`.
Result<StartReport> time_starts(const LoadTarget& target, unsigned times, const std::atomic<bool>& stop);

}  // namespace fairlead::load
