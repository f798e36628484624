#include "load/run.hpp"

#include <algorithm>

#include "load/child_server.hpp"
#include "load/process_usage.hpp"

namespace fairlead::load {
namespace {

constexpr double megabyte = 1024.0 * 1024.0;
constexpr double calls_counted = 100'000;

std::optional<Usage> usage_if_known(std::optional<pid_t> process) {
  return process ? usage_of(*process) : std::nullopt;
}

std::optional<double> resident_megabytes(const std::optional<Usage>& usage) {
  return usage ? std::optional(static_cast<double>(usage->resident) / megabyte) : std::nullopt;
}

/// The connections of one measurement, and the child at their other end if there is one.
class Lanes {
 public:
  Result<void> open(const Plan& plan) {
    if (!plan.target.command.empty()) return open_child(plan);
    server_ = plan.server;
    before_ = usage_if_known(server_);
    for (unsigned number = 0; number < plan.connections; ++number) {
      auto opened = open_lane(plan.target, plan.style, number);
      if (!opened) return std::unexpected(std::move(opened.error()));
      add(std::move(*opened));
    }
    return {};
  }

  // Sessions are ended as a client should; whether that arrives is nobody's loss.
  ~Lanes() {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      if (farewells_[i].empty()) continue;
      [[maybe_unused]] const auto told = lanes_[i]->line().write_now(farewells_[i]);
    }
    lanes_.clear();
  }

  std::span<const std::unique_ptr<Lane>> all() const { return lanes_; }
  std::optional<Usage> usage() const { return usage_if_known(server_); }
  const std::optional<Usage>& before() const { return before_; }

 private:
  Result<void> open_child(const Plan& plan) {
    auto started = ChildServer::start(plan.target.command);
    if (!started) return std::unexpected(std::move(started.error()));
    child_ = std::move(*started);
    server_ = child_->pid();
    auto opened = open_lane(child_->take_line(), plan.style);
    if (!opened) return std::unexpected(std::move(opened.error()));
    before_ = usage();
    add(std::move(*opened));
    return {};
  }

  void add(OpenLane opened) {
    lanes_.push_back(std::move(opened.lane));
    farewells_.push_back(std::move(opened.farewell));
  }

  std::unique_ptr<ChildServer> child_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::string> farewells_;
  std::optional<pid_t> server_;
  std::optional<Usage> before_;
};

double microseconds(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1000.0;
}

void add_latency(Report& report, const Histogram& latency) {
  report.p50_us = microseconds(latency.at(0.5));
  report.p90_us = microseconds(latency.at(0.9));
  report.p99_us = microseconds(latency.at(0.99));
  report.max_us = microseconds(latency.max());
}

Report report_of(const Plan& plan, const Driven& driven) {
  Report report{.connections = plan.connections,
                .in_flight = plan.style.in_flight,
                .calls = driven.tally.latency.count(),
                .failures = driven.tally.failures,
                .stuck = driven.stuck,
                .seconds = driven.seconds};
  const auto seconds = std::max(driven.seconds, 1e-9);
  report.calls_per_second = static_cast<double>(report.calls) / seconds;
  report.megabytes_per_second = static_cast<double>(driven.tally.bytes) / 1e6 / seconds;
  report.events_per_second = static_cast<double>(driven.tally.events) / seconds;
  add_latency(report, driven.tally.latency);
  if (!driven.tally.first_failure.empty()) report.first_failure = driven.tally.first_failure;
  return report;
}

}  // namespace

Result<Report> run(const Plan& plan, const std::atomic<bool>& stop) {
  Lanes lanes;
  if (auto opened = lanes.open(plan); !opened) return std::unexpected(std::move(opened.error()));
  if (plan.warm_seconds > 0) {
    const Bounds warm{.seconds = plan.warm_seconds, .calls = plan.bounds.calls, .patience = plan.bounds.patience};
    const auto warmed = drive(lanes.all(), warm, stop);
    // What fails already now would only be counted again.
    if (warmed.tally.latency.count() == 0 && !stop) {
      auto why = warmed.tally.first_failure;
      return fail(ErrorKind::timeout, why.empty() ? "the server answered no call" : std::move(why));
    }
  }
  const auto server_before = lanes.usage();
  const auto own_before = own_cpu_seconds();
  const auto driven = drive(lanes.all(), plan.bounds, stop);
  const auto server_after = lanes.usage();
  auto report = report_of(plan, driven);
  report.driver_busy = (own_cpu_seconds() - own_before) / std::max(driven.seconds, 1e-9);
  if (server_before && server_after && report.calls > 0) {
    const auto used = server_after->cpu_seconds - server_before->cpu_seconds;
    report.cpu_seconds_per_100k = used * calls_counted / static_cast<double>(report.calls);
  }
  report.rss_before_mb = resident_megabytes(lanes.before());
  report.rss_loaded_mb = resident_megabytes(server_after);
  return report;
}

}  // namespace fairlead::load
