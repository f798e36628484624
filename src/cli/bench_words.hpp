#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/server_options.hpp"
#include "load/run.hpp"

namespace fairlead::cli {

/// What `fairlead bench` takes, as it was written.
struct BenchWords {
  std::string connections = "1,16,64", seconds = "2", warm = "0.3", calls = "0", in_flight = "1";
  std::string tool = "echo", progress = "", against = "", process = "", idle = "0", hold = "1", starts = "0";
  bool stateless = false, unchecked = false, json = false;
  std::vector<std::string> arguments = {};
  UrlOptions url = {};
};

void add_bench_options(Options& options, BenchWords& words);

/// The same, understood.
struct BenchChoice {
  std::vector<unsigned> connections;
  load::Plan plan;  ///< Of one run; its connections and its target are to be set.
  unsigned idle = 0, starts = 0;
  double hold_seconds = 1;
};

/// An error is the user's.
Result<BenchChoice> choose_bench(const BenchWords& words);

}  // namespace fairlead::cli
