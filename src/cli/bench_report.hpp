#pragma once

#include <vector>

#include "load/run_load.hpp"

namespace fairlead::cli {

/// Compares runs of the same load on two servers.
struct BenchComparison {
  unsigned connections = 0;
  double added_p50_us = 0;
  double calls_ratio = 0;  ///< Calls per second of the first server divided by those of the second.
};

/// What `fairlead bench` prints as JSON.
struct BenchDocument {
  std::string server, tool;
  bool stateless = false;
  std::vector<load::LoadReport> runs = {};
  std::optional<std::string> against = {};
  std::optional<std::vector<load::LoadReport>> against_runs = {};
  std::optional<std::vector<BenchComparison>> comparison = {};
};

BenchComparison compare_runs(const load::LoadReport& ours, const load::LoadReport& theirs);

std::string bench_table(const std::vector<load::LoadReport>& runs);
/// The table, and with `against` the comparison below it.
std::string show_bench(const BenchDocument& document);
std::string show_idle(const load::IdleReport& report);
std::string show_starts(const load::StartReport& report);

}  // namespace fairlead::cli
