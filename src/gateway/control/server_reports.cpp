#include "gateway/control/server_reports.hpp"

#include <algorithm>
#include <array>
#include <fairlead/protocol/revision.hpp>

namespace fairlead::gateway {
namespace {

/// Rank of a state: the highest of several is reported.
constexpr auto weightiest_first = std::to_array<std::string_view>({"failing", "gone", "starting", "ready", "idle"});

std::string weightiest_state(const std::vector<UpstreamState>& states) {
  for (const auto state : weightiest_first) {
    if (std::ranges::find(states, state, &UpstreamState::state) != states.end()) return std::string(state);
  }
  return "idle";
}

std::string era_of(const std::string& revision) {
  const auto* known = protocol::find_revision(revision);
  return known && known->lifecycle == protocol::Lifecycle::stateless ? "stateless" : "handshake";
}

void add_instance(ServerReport& report, const UpstreamState& state) {
  if (state.pid != 0) report.pids.push_back(state.pid);
  report.inFlight += state.in_flight;
  if (!state.revision.empty()) {
    report.revision = state.revision;
    report.era = era_of(state.revision);
  }
  // A diagnosis is more important than the error of a call.
  const bool ready = state.state == "ready";
  if (!state.last_error.empty() && (!ready || !report.lastError)) report.lastError = state.last_error;
  const bool is_down = state.state == "failing" || state.state == "gone";
  if (is_down && state.diagnosis) report.diagnosis = *state.diagnosis;
}

}  // namespace

ServerReport server_report(const ServerStatus& status, const ServerStats& server_stats) {
  ServerReport report{.name = status.name,
                      .state = weightiest_state(status.states),
                      .transport = status.transport,
                      .address = status.address};
  report.restarts = status.restarts;
  report.calls = server_stats.calls;
  report.errors = server_stats.errors;
  if (server_stats.calls != 0) {
    report.p50Ms = server_stats.p50_ms;
    report.p99Ms = server_stats.p99_ms;
  }
  if (!server_stats.last_error.empty()) report.lastError = server_stats.last_error;
  for (const auto& state : status.states) add_instance(report, state);
  return report;
}

std::vector<ServerReport> server_reports(const std::vector<ServerStatus>& servers, const CallMetrics& metrics) {
  std::vector<ServerReport> reports;
  for (const auto& status : servers) reports.push_back(server_report(status, metrics.server_stats(status.name)));
  return reports;
}

}  // namespace fairlead::gateway
