#include "load/run_load.hpp"

#include <algorithm>

#include "load/child_server.hpp"
#include "load/process_usage.hpp"

namespace fairlead::load {
namespace {

constexpr double megabyte = 1024.0 * 1024.0;
constexpr double calls_counted = 100'000;

std::optional<ProcessUsage> usage_if_known(std::optional<pid_t> process) {
  return process ? usage_of(*process) : std::nullopt;
}

std::optional<double> resident_megabytes(const std::optional<ProcessUsage>& usage) {
  return usage ? std::optional(static_cast<double>(usage->resident) / megabyte) : std::nullopt;
}

/// The connections of one measurement, and the child process that they use, if any.
class LoadConnections {
 public:
  Result<void> open(const LoadPlan& plan) {
    if (plan.target.is_command()) return open_child(plan);
    server_ = plan.server;
    before_ = usage_if_known(server_);
    for (unsigned number = 0; number < plan.connections; ++number) {
      auto opened = open_connection(plan.target, plan.style, number);
      if (!opened) return std::unexpected(std::move(opened.error()));
      add(std::move(*opened));
    }
    return {};
  }

  // Ends the HTTP sessions; errors do not matter here.
  ~LoadConnections() {
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      if (close_requests_[i].empty()) continue;
      [[maybe_unused]] const auto sent = connections_[i]->raw().write_now(close_requests_[i]);
    }
    connections_.clear();
  }

  ConnectionSpan all() const { return connections_; }
  std::optional<ProcessUsage> usage() const { return usage_if_known(server_); }
  const std::optional<ProcessUsage>& before() const { return before_; }

 private:
  Result<void> open_child(const LoadPlan& plan) {
    auto started = ChildServer::start(plan.target.child);
    if (!started) return std::unexpected(std::move(started.error()));
    child_ = std::move(*started);
    server_ = child_->pid();
    auto opened = open_connection(child_->take_connection(), plan.style);
    if (!opened) return std::unexpected(std::move(opened.error()));
    before_ = usage();
    add(std::move(*opened));
    return {};
  }

  void add(OpenedConnection opened) {
    connections_.push_back(std::move(opened.connection));
    close_requests_.push_back(std::move(opened.close_request));
  }

  std::unique_ptr<ChildServer> child_;
  std::vector<std::unique_ptr<LoadConnection>> connections_;
  std::vector<std::string> close_requests_;
  std::optional<pid_t> server_;
  std::optional<ProcessUsage> before_;
};

double microseconds(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1000.0;
}

void add_latency(LoadReport& report, const LatencyHistogram& latency) {
  report.p50_us = microseconds(latency.at(0.5));
  report.p90_us = microseconds(latency.at(0.9));
  report.p99_us = microseconds(latency.at(0.99));
  report.max_us = microseconds(latency.max());
}

LoadReport report_of(const LoadPlan& plan, const LoadResult& result) {
  LoadReport report{.connections = plan.connections,
                    .in_flight = plan.style.in_flight,
                    .calls = result.counters.latency.count(),
                    .failures = result.counters.failures,
                    .stuck = result.stuck,
                    .seconds = result.seconds};
  const auto seconds = std::max(result.seconds, 1e-9);
  report.calls_per_second = static_cast<double>(report.calls) / seconds;
  report.megabytes_per_second = static_cast<double>(result.counters.bytes) / 1e6 / seconds;
  report.events_per_second = static_cast<double>(result.counters.events) / seconds;
  add_latency(report, result.counters.latency);
  if (!result.counters.first_failure.empty()) report.first_failure = result.counters.first_failure;
  return report;
}

}  // namespace

Result<LoadReport> run_load(const LoadPlan& plan, const std::atomic<bool>& stop) {
  LoadConnections connections;
  if (auto opened = connections.open(plan); !opened) return std::unexpected(std::move(opened.error()));
  if (plan.warm_seconds > 0) {
    const LoadLimits warm{.seconds = plan.warm_seconds, .calls = plan.limits.calls, .drain = plan.limits.drain};
    const auto warmed = drive_connections(connections.all(), warm, stop);
    // Without a successful call the measurement would only count failures.
    if (warmed.counters.latency.count() == 0 && !stop) {
      auto why = warmed.counters.first_failure;
      return fail(ErrorKind::timeout, why.empty() ? "the server did not respond to any call" : std::move(why));
    }
  }
  const auto server_before = connections.usage();
  const auto own_before = own_cpu_seconds();
  const auto result = drive_connections(connections.all(), plan.limits, stop);
  const auto server_after = connections.usage();
  auto report = report_of(plan, result);
  report.driver_busy = (own_cpu_seconds() - own_before) / std::max(result.seconds, 1e-9);
  if (server_before && server_after && report.calls > 0) {
    const auto used = server_after->cpu_seconds - server_before->cpu_seconds;
    report.cpu_seconds_per_100k = used * calls_counted / static_cast<double>(report.calls);
  }
  report.rss_before_mb = resident_megabytes(connections.before());
  report.rss_loaded_mb = resident_megabytes(server_after);
  return report;
}

}  // namespace fairlead::load
