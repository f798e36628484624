#pragma once

#include "cli/server_options.hpp"
#include "load/run_load.hpp"

namespace fairlead::cli {

/// The options of `fairlead bench`, as given on the command line.
struct BenchOptions {
  std::string connections = "1,16,64", seconds = "2", warm = "0.3", calls = "0", in_flight = "1";
  std::string tool = "echo", progress = "", against = "", process = "", idle = "0", hold = "1", starts = "0";
  bool stateless = false, unchecked = false, json = false;
  std::vector<std::string> arguments = {};
  UrlOptions url = {};
  LogOptions log = {};
  ChosenServer server = {};
};

void add_bench_options(Options& options, BenchOptions& flags);

/// The options of `fairlead bench`, parsed.
struct BenchSettings {
  std::vector<unsigned> connections;
  load::LoadPlan plan;  ///< Of one run; the caller sets connections and target.
  unsigned idle = 0, starts = 0;
  double hold_seconds = 1;
};

/// Parses the options. The error names the wrong option, for the user.
Result<BenchSettings> resolve_bench_settings(const BenchOptions& flags);

}  // namespace fairlead::cli
