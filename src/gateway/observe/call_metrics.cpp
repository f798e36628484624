#include "gateway/observe/call_metrics.hpp"

#include <algorithm>
#include <chrono>
#include <fairlead/protocol/extension.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

namespace fairlead::gateway {
namespace {

constexpr std::string_view other_name = "other";

CallMetrics::Key key_of_series(const CallRecord& record) {
  const bool known = protocol::is_known_request(record.method);
  CallMetrics::Key key{
      .hop = record.hop, .server = record.server, .method = known ? record.method : std::string(other_name)};
  if (record.method == protocol::CallTool::method) key.tool = record.listed ? record.target : other_name;
  return key;
}

// The message of a tool may be private; its name is enough here.
std::string error_words(const CallRecord& record) {
  if (!record.outcome.message.empty()) return record.outcome.message;
  return record.method + (record.listed ? " '" + record.target + "'" : std::string()) + ": the tool has failed";
}

double nth_of(std::vector<float>& values, std::size_t percent) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * percent / 100);
  std::ranges::nth_element(values, at);
  return *at;
}

}  // namespace

void CallMetrics::on_start(session::Call&, CallRecord& record) {
  if (record.method == protocol::Listen::method) {
    if (record.hop == Hop::front) ++listening_;
    return;
  }
  ++pending_[static_cast<std::size_t>(record.hop)];
}

void CallMetrics::on_end(session::Call&, const CallRecord& record) {
  if (record.method == protocol::Listen::method) {
    if (record.hop == Hop::front) --listening_;
    return;
  }
  --pending_[static_cast<std::size_t>(record.hop)];
  auto& series = series_of(record);
  series.durations.record(std::chrono::duration<double>(record.end - record.start).count());
  if (record.outcome.failed()) ++series.errors[record.outcome.plane()];
  if (record.hop == Hop::server) count_server(record);
}

// Caches the last series: equal calls often follow each other.
CallMetrics::Series& CallMetrics::series_of(const CallRecord& record) {
  auto& last = last_[static_cast<std::size_t>(record.hop)];
  const auto labels = std::tie(record.server, record.method, record.target, record.listed);
  if (const auto* known = last.find(labels)) return **known;
  auto key = key_of_series(record);
  if (series_.size() >= max_series && !series_.contains(key)) {
    key.method = other_name;
    key.tool = other_name;
  }
  auto& series = series_[std::move(key)];
  constexpr std::size_t max_cached_name = 256;
  if (record.target.size() <= max_cached_name) last.set(labels, &series);
  return series;
}

void CallMetrics::count_server(const CallRecord& record) {
  auto& server = servers_[record.server];
  ++server.totals.calls;
  if (record.outcome.failed() && record.outcome.plane() != Plane::caller) {
    ++server.totals.errors;
    server.totals.last_error = error_words(record);
  }
  const auto durations = std::chrono::duration<float, std::milli>(record.end - record.start).count();
  if (server.last.size() < stats_window) return server.last.push_back(durations);
  server.last[server.next] = durations;
  server.next = (server.next + 1) % stats_window;
}

ServerStats CallMetrics::server_stats(std::string_view server) const {
  const auto found = servers_.find(server);
  if (found == servers_.end()) return {};
  auto server_stats = found->second.totals;
  auto last = found->second.last;
  server_stats.p50_ms = nth_of(last, 50);
  server_stats.p99_ms = nth_of(last, 99);
  return server_stats;
}

}  // namespace fairlead::gateway
