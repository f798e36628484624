#include "cli/bench_report.hpp"

#include <fmt/format.h>

namespace fairlead::cli {
namespace {

std::string number_or_dash(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string bench_row(const load::LoadReport& run) {
  const auto row = fmt::format("{:>11}  {:>9}  {:>9.0f}  {:>8.1f}  {:>8.1f}  {:>8.1f}  {:>9.1f}  {:>6}  {:>10}  {:>7}",
                               run.connections, run.in_flight, run.calls_per_second, run.p50_us, run.p90_us, run.p99_us,
                               run.max_us, run.failures + run.stuck, number_or_dash(run.cpu_seconds_per_100k, 2),
                               number_or_dash(run.rss_loaded_mb, 1));
  constexpr double nearly_all = 0.9;
  return row + (run.driver_busy > nearly_all ? "  (limited by the load generator)\n" : "\n");
}

}  // namespace

BenchComparison compare_runs(const load::LoadReport& ours, const load::LoadReport& theirs) {
  return {.connections = ours.connections,
          .added_p50_us = ours.p50_us - theirs.p50_us,
          .calls_ratio = theirs.calls_per_second > 0 ? ours.calls_per_second / theirs.calls_per_second : 0};
}

std::string bench_table(const std::vector<load::LoadReport>& runs) {
  auto text =
      fmt::format("{:>11}  {:>9}  {:>9}  {:>8}  {:>8}  {:>8}  {:>9}  {:>6}  {:>10}  {:>7}\n", "connections",
                  "in flight", "calls/s", "p50 us", "p90 us", "p99 us", "max us", "failed", "CPU s/100k", "RSS MB");
  for (const auto& run : runs) text += bench_row(run);
  return text;
}

std::string show_bench(const BenchDocument& document) {
  auto text = fmt::format("{} on {}, {}\n{}", document.tool, document.server,
                          document.stateless ? "stateless" : "in sessions", bench_table(document.runs));
  if (!document.against) return text;
  text += fmt::format("\n{}\n{}\n", *document.against, bench_table(*document.against_runs));
  for (const auto& each : *document.comparison) {
    text += fmt::format("{} connections: {:+.1f} us median latency, {:.2f} times the calls per second\n",
                        each.connections, each.added_p50_us, each.calls_ratio);
  }
  return text;
}

std::string show_idle(const load::IdleReport& report) {
  return fmt::format(
      "{} idle sessions with a stream each, opened in {:.2f} s; server memory {} MB, before {} MB: {} KB per session\n",
      report.streams, report.open_seconds, number_or_dash(report.rss_open_mb, 1),
      number_or_dash(report.rss_before_mb, 1), number_or_dash(report.kb_per_stream, 2));
}

std::string show_starts(const load::StartReport& report) {
  return fmt::format("initialize answered after {:.2f} ms (median of {}; {:.2f} at best), {:.1f} MB resident\n",
                     report.median_ms, report.starts, report.fastest_ms, report.rss_mb);
}

}  // namespace fairlead::cli
