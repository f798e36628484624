#pragma once

#include <optional>
#include <string>
#include <vector>

#include "load/run.hpp"

namespace fairlead::cli {

/// The same load on two servers, and what the first adds to the second.
struct Comparison {
  unsigned connections = 0;
  double added_p50_us = 0;
  double calls_ratio = 0;  ///< Calls a second of the first, over those of the second.
};

/// What `fairlead bench` prints as JSON.
struct BenchDocument {
  std::string server, tool;
  bool stateless = false;
  std::vector<load::Report> runs = {};
  std::optional<std::string> against = {};
  std::optional<std::vector<load::Report>> against_runs = {};
  std::optional<std::vector<Comparison>> comparison = {};
};

Comparison compared(const load::Report& ours, const load::Report& theirs);

std::string bench_table(const std::vector<load::Report>& runs);
/// With what stands between them below.
std::string show_bench(const BenchDocument& document);
std::string show_idle(const load::IdleReport& report);
std::string show_starts(const load::StartReport& report);

}  // namespace fairlead::cli
