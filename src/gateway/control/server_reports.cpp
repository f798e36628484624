#include "gateway/control/server_reports.hpp"

#include <algorithm>
#include <array>
#include <fairlead/protocol/revision.hpp>

namespace fairlead::gateway {
namespace {

/// Which of several states tells most.
constexpr auto weightiest_first = std::to_array<std::string_view>({"failing", "gone", "starting", "ready", "idle"});

std::string weightiest_state(const std::vector<UpstreamState>& states) {
  for (const auto state : weightiest_first) {
    if (std::ranges::find(states, state, &UpstreamState::state) != states.end()) return std::string(state);
  }
  return "idle";
}

std::string spoken_era(const std::string& revision) {
  const auto* known = protocol::find_revision(revision);
  return known && known->lifecycle == protocol::Lifecycle::stateless ? "stateless" : "handshake";
}

void add_instance(ServerReport& report, const UpstreamState& state) {
  if (state.pid != 0) report.pids.push_back(state.pid);
  report.inFlight += state.in_flight;
  if (!state.revision.empty()) {
    report.revision = state.revision;
    report.era = spoken_era(state.revision);
  }
  // What keeps it from working weighs more than how a call went wrong.
  const bool ready = state.state == "ready";
  if (!state.last_error.empty() && (!ready || !report.lastError)) report.lastError = state.last_error;
  const bool is_down = state.state == "failing" || state.state == "gone";
  if (is_down && state.diagnosis) report.diagnosis = *state.diagnosis;
}

}  // namespace

ServerReport server_report(const ServerStatus& status, const ServerFigures& figures) {
  ServerReport report{.name = status.name,
                      .state = weightiest_state(status.states),
                      .transport = status.transport,
                      .address = status.address};
  report.restarts = status.restarts;
  report.calls = figures.calls;
  report.errors = figures.errors;
  if (figures.calls != 0) {
    report.p50Ms = figures.p50_ms;
    report.p99Ms = figures.p99_ms;
  }
  if (!figures.last_error.empty()) report.lastError = figures.last_error;
  for (const auto& state : status.states) add_instance(report, state);
  return report;
}

std::vector<ServerReport> server_reports(const Gateway& gateway) {
  std::vector<ServerReport> reports;
  for (const auto& status : gateway.status()) {
    reports.push_back(server_report(status, gateway.ledger().figures(status.name)));
  }
  return reports;
}

}  // namespace fairlead::gateway
