#include "gateway/gateway.hpp"
#include "gateway/observe/access_log.hpp"
#include "gateway/observe/metrics_handler.hpp"
#include "gateway/observe/prometheus_text.hpp"
#include "gateway/routing/virtual_servers_by_via.hpp"

namespace fairlead::gateway {
namespace {

std::string_view hop_name(Hop hop) {
  return hop == Hop::front ? "front" : "server";
}

double as_number(std::size_t count) {
  return static_cast<double>(count);
}

void add_calls(PrometheusText& to, const CallMetrics& call_metrics) {
  for (const auto& [key, series] : call_metrics.series()) {
    const PrometheusText::Labels labels{
        {"hop", std::string(hop_name(key.hop))}, {"server", key.server}, {"method", key.method}, {"tool", key.tool}};
    to.add(MetricKind::counter, "fairlead_calls_total", "Finished calls.", labels, as_number(series.durations.count()));
    to.add("fairlead_call_duration_seconds", "Duration of calls from this hop on.", labels, series.durations);
    for (const auto& [plane, count] : series.errors) {
      auto of_plane = labels;
      of_plane.emplace_back("plane", name(plane));
      to.add(MetricKind::counter, "fairlead_errors_total",
             "Failed calls by plane: caller (cancelled), transport, protocol (JSON-RPC error) or tool.", of_plane,
             as_number(count));
    }
  }
  for (const auto hop : {Hop::front, Hop::server}) {
    const PrometheusText::Labels labels(1, {"hop", std::string(hop_name(hop))});
    to.add(MetricKind::gauge, "fairlead_calls_in_flight", "Pending calls.", labels,
           as_number(call_metrics.pending(hop)));
  }
}

void add_states(PrometheusText& to, const ServerStatus& server) {
  const PrometheusText::Labels labels(1, {"server", server.name});
  std::map<std::string, std::size_t> connections{
      {"idle", 0}, {"starting", 0}, {"ready", 0}, {"failing", 0}, {"gone", 0}};
  std::size_t children = 0;
  std::size_t in_flight = 0;
  std::size_t waiting = 0;
  for (const auto& state : server.states) {
    ++connections[state.state];
    children += state.pid != 0 ? 1 : 0;
    in_flight += state.in_flight;
    waiting += state.waiting;
  }
  for (const auto& [state, count] : connections) {
    const PrometheusText::Labels with_state{{"server", server.name}, {"state", state}};
    to.add(MetricKind::gauge, "fairlead_server_connections", "Connections to a server by state.", with_state,
           as_number(count));
  }
  to.add(MetricKind::gauge, "fairlead_child_processes", "Child processes of a server.", labels, as_number(children));
  to.add(MetricKind::gauge, "fairlead_server_calls_in_flight", "Pending calls of a server.", labels,
         as_number(in_flight));
  to.add(MetricKind::gauge, "fairlead_server_calls_waiting", "Queued calls of a server.", labels, as_number(waiting));
}

void add_tally(PrometheusText& to, const std::string& server, const StartCounters& counters) {
  const PrometheusText::Labels labels(1, {"server", server});
  to.add(MetricKind::counter, "fairlead_server_starts_total", "Successful starts of, or connections to, a server.",
         labels, as_number(counters.starts));
  to.add(MetricKind::counter, "fairlead_server_restarts_total", "Restarts of, or reconnections to, a server.", labels,
         as_number(counters.restarts));
  to.add(MetricKind::counter, "fairlead_server_failures_total", "Failed starts and unexpected exits of a server.",
         labels, as_number(counters.failures));
}

// `of` is the server that the chain belongs to; empty for the chain in front of all servers.
void add_chain(PrometheusText& to, const Chain& chain, const std::string& of) {
  std::size_t step = 0;
  for (const auto& middleware : chain.steps()) {
    ++step;
    for (const auto& metric : middleware->metrics()) {
      PrometheusText::Labels labels{{"chain", of}, {"step", std::to_string(step)}};
      labels.insert(labels.end(), metric.labels.begin(), metric.labels.end());
      const auto full_name = "fairlead_" + metric.name + (metric.gauge ? "" : "_total");
      to.add(metric.gauge ? MetricKind::gauge : MetricKind::counter, full_name, metric.help, labels, metric.value);
    }
  }
}

}  // namespace

void Gateway::serve_metrics(const std::string& path) {
  const auto full_path = path.empty() ? "" : config_.listen.base_path + path;
  if (full_path == metrics_path_) return;
  if (!metrics_path_.empty()) router_->remove(metrics_path_);
  if (!full_path.empty())
    router_->add(full_path, std::make_shared<MetricsHandler>(full_path, [this] { return metrics(); }));
  metrics_path_ = full_path;
}

void Gateway::set_access_log(CallLogFormat how) {
  if (applied_ && how == config_.log.calls) return;
  if (access_log_) remove_observer(*access_log_);
  access_log_ =
      how == CallLogFormat::off ? nullptr : std::make_shared<AccessLog>(loop_.log, how == CallLogFormat::json);
  if (access_log_) add_observer(access_log_);
}

void Gateway::set_server_timing(bool wanted) {
  if (wanted == (timing_ != nullptr)) return;
  if (timing_) remove_observer(*timing_);
  timing_ = wanted ? std::make_shared<ServerTimingObserver>() : nullptr;
  if (timing_) add_observer(timing_);
}

std::vector<ServerStatus> Gateway::status() const {
  std::vector<ServerStatus> all;
  for (const auto& server : config_.servers) {
    const auto found = servers_.find(server.name);
    if (found == servers_.end()) continue;
    all.push_back({.name = server.name,
                   .address = server.url.empty() ? server.command.front() : server.url,
                   .transport = server.url.empty() ? "stdio" : server.url.substr(0, server.url.find(':')),
                   .restarts = start_counters_.at(server.name)->restarts,
                   .states = found->second.server->states()});
  }
  return all;
}

std::string Gateway::metrics() const {
  PrometheusText all;
  const PrometheusText::Labels version(1, {"version", FAIRLEAD_VERSION});
  all.add(MetricKind::gauge, "fairlead_build_info", "Version of Fairlead.", version, 1);
  add_calls(all, *call_metrics_);
  for (const auto& server : status()) add_states(all, server);
  for (const auto& [name, counters] : start_counters_) add_tally(all, name, *counters);
  const auto add_sessions = [&](const std::string& endpoint, std::size_t count) {
    const PrometheusText::Labels labels(1, {"endpoint", endpoint});
    all.add(MetricKind::gauge, "fairlead_sessions", "Sessions with clients.", labels, as_number(count));
  };
  if (aggregate_) add_sessions("/", aggregate_->session_count());
  for (const auto& [name, virtual_server] : virtual_servers_)
    add_sessions("/s/" + name, virtual_server->session_count());
  if (servers_by_via_) add_sessions("via", servers_by_via_->session_count());
  const auto add_streams = [&](const std::string& kind, std::size_t count) {
    const PrometheusText::Labels labels(1, {"kind", kind});
    all.add(MetricKind::gauge, "fairlead_streams", "Open streams of clients: GET streams and sockets, subscriptions.",
            labels, as_number(count));
  };
  add_streams("get", router_->streams());
  add_streams("subscription", call_metrics_->listening());
  all.add(MetricKind::gauge, "fairlead_starts_waiting", "Servers that wait to be started.", {},
          as_number(start_permits_ ? start_permits_->waiting() : 0));
  add_chain(all, chain_, "");
  for (const auto& [name, running] : servers_) add_chain(all, running.chain, name);
  return all.text();
}

}  // namespace fairlead::gateway
