#include <algorithm>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>

#include "load/child_server.hpp"
#include "load/process_usage.hpp"
#include "load/run_load.hpp"

namespace fairlead::load {
namespace {

constexpr double bytes_a_megabyte = 1024.0 * 1024.0;

// Every stream needs a file descriptor.
Result<void> allow_descriptors(unsigned count) {
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t wanted = count + 64;
  if (limit.rlim_cur >= wanted) return {};
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= wanted) return {};
  return fail(ErrorKind::invalid, fmt::format("{} streams need {} open files, but the limit is {}; raise ulimit -n",
                                              count, wanted, limit.rlim_max));
}

// Waits until the time has passed, `stop` is set or a signal arrives.
void wait_seconds(double seconds, const std::atomic<bool>& stop) {
  constexpr int slice_milliseconds = 50;
  const auto end = nanoseconds_now() + static_cast<std::uint64_t>(seconds * 1e9);
  while (!stop && nanoseconds_now() < end) ::poll(nullptr, 0, slice_milliseconds);
}

}  // namespace

Result<IdleReport> hold_idle_streams(const LoadTarget& target, unsigned count, double hold_seconds,
                                     std::optional<pid_t> server, const std::atomic<bool>& stop) {
  if (auto allowed = allow_descriptors(count); !allowed) return std::unexpected(std::move(allowed.error()));
  const auto before = server ? usage_of(*server) : std::nullopt;
  const auto began = nanoseconds_now();
  std::vector<RawConnection> streams;
  while (streams.size() < count && !stop) {
    auto opened = open_idle_stream(target);
    if (!opened && stop) break;
    if (!opened) {
      const auto why = fmt::format("stream {} of {}: {}", streams.size() + 1, count, opened.error().message);
      return fail(opened.error().kind, why);
    }
    streams.push_back(std::move(*opened));
  }
  IdleReport report{.streams = static_cast<unsigned>(streams.size())};
  report.open_seconds = static_cast<double>(nanoseconds_now() - began) / 1e9;
  wait_seconds(hold_seconds, stop);
  const auto after = server ? usage_of(*server) : std::nullopt;
  if (before && after) {
    report.rss_before_mb = static_cast<double>(before->resident) / bytes_a_megabyte;
    report.rss_open_mb = static_cast<double>(after->resident) / bytes_a_megabyte;
    report.kb_per_stream = (*report.rss_open_mb - *report.rss_before_mb) * 1024 / std::max(1U, report.streams);
  }
  return report;
}

Result<StartReport> time_starts(const LoadTarget& target, unsigned times, const std::atomic<bool>& stop) {
  std::vector<double> taken;
  StartReport report;
  while (taken.size() < times && !stop) {
    const auto began = nanoseconds_now();
    auto started = ChildServer::start(target.child);
    if (!started) return std::unexpected(std::move(started.error()));
    const auto initialized = open_connection((*started)->take_connection(), {});
    if (!initialized && stop) break;
    if (!initialized) return std::unexpected(initialized.error());
    taken.push_back(static_cast<double>(nanoseconds_now() - began) / 1e6);
    if (const auto used = usage_of((*started)->pid())) {
      report.rss_mb = static_cast<double>(used->resident) / bytes_a_megabyte;
    }
  }
  if (taken.empty()) return fail(ErrorKind::cancelled, "stopped before the first start");
  std::ranges::sort(taken);
  report.starts = static_cast<unsigned>(taken.size());
  report.fastest_ms = taken.front();
  report.median_ms = taken[taken.size() / 2];
  return report;
}

}  // namespace fairlead::load
