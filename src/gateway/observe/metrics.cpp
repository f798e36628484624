#include "gateway/observe/metrics.hpp"

#include "gateway/gateway.hpp"
#include "gateway/observe/call_log.hpp"
#include "gateway/observe/exposition.hpp"
#include "gateway/via_rooms.hpp"

namespace fairlead::gateway {
namespace {

std::string_view hop_name(Hop hop) {
  return hop == Hop::front ? "front" : "server";
}

double as_number(std::size_t count) {
  return static_cast<double>(count);
}

void add_calls(Exposition& to, const Ledger& ledger) {
  for (const auto& [key, series] : ledger.series()) {
    const Exposition::Labels labels{
        {"hop", std::string(hop_name(key.hop))}, {"server", key.server}, {"method", key.method}, {"tool", key.tool}};
    to.add(MetricKind::counter, "fairlead_calls_total", "Calls that have ended, well or not.", labels,
           as_number(series.took.count()));
    to.add("fairlead_call_duration_seconds", "How long calls took, from here on.", labels, series.took);
    for (const auto& [plane, count] : series.errors) {
      auto of_plane = labels;
      of_plane.emplace_back("plane", name(plane));
      to.add(MetricKind::counter, "fairlead_errors_total",
             "Calls that have failed: given up by the caller, on the way to the server, by a JSON-RPC error, or in the "
             "tool.",
             of_plane, as_number(count));
    }
  }
  for (const auto hop : {Hop::front, Hop::server}) {
    const Exposition::Labels labels(1, {"hop", std::string(hop_name(hop))});
    to.add(MetricKind::gauge, "fairlead_calls_in_flight", "Calls that have not ended yet.", labels,
           as_number(ledger.under_way(hop)));
  }
}

void add_states(Exposition& to, const ServerStatus& server) {
  const Exposition::Labels labels(1, {"server", server.name});
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
    const Exposition::Labels with_state{{"server", server.name}, {"state", state}};
    to.add(MetricKind::gauge, "fairlead_server_connections", "Ways to a server, by how it is doing.", with_state,
           as_number(count));
  }
  to.add(MetricKind::gauge, "fairlead_children", "Processes that run for a server.", labels, as_number(children));
  to.add(MetricKind::gauge, "fairlead_server_calls_in_flight", "Calls that a server has not answered yet.", labels,
         as_number(in_flight));
  to.add(MetricKind::gauge, "fairlead_server_calls_waiting", "Calls that wait for others of the same server to end.",
         labels, as_number(waiting));
}

void add_tally(Exposition& to, const std::string& server, const UpstreamTally& tally) {
  const Exposition::Labels labels(1, {"server", server});
  to.add(MetricKind::counter, "fairlead_server_starts_total", "How often a server was started or reached.", labels,
         as_number(tally.starts));
  to.add(MetricKind::counter, "fairlead_server_restarts_total", "How often it was so again.", labels,
         as_number(tally.restarts));
  to.add(MetricKind::counter, "fairlead_server_failures_total",
         "How often it could not be reached, or has gone by itself.", labels, as_number(tally.failures));
}

// `of` is the server before which the chain stands; empty for the one in front of all.
void add_chain(Exposition& to, const Chain& chain, const std::string& of) {
  std::size_t step = 0;
  for (const auto& middleware : chain.steps()) {
    ++step;
    for (const auto& count : middleware->counts()) {
      Exposition::Labels labels{{"chain", of}, {"step", std::to_string(step)}};
      labels.insert(labels.end(), count.labels.begin(), count.labels.end());
      const auto metric = "fairlead_" + count.name + (count.gauge ? "" : "_total");
      to.add(count.gauge ? MetricKind::gauge : MetricKind::counter, metric, count.help, labels, count.value);
    }
  }
}

}  // namespace

std::optional<http::Response> MetricsDoor::answer_now(http::Request& request) {
  if (request.path != path_) {
    return http::Response{.status = 404, .content_type = "text/plain", .body = "there is nothing at this path\n"};
  }
  if (request.method != "GET" && request.method != "HEAD") {
    return http::Response{.status = 405,
                          .content_type = "text/plain",
                          .headers = {{"Allow", "GET, HEAD"}},
                          .body = "metrics are only read\n"};
  }
  return http::Response{.content_type = Exposition::content_type, .body = text_()};
}

Task<void> MetricsDoor::serve(http::Exchange& exchange) {
  auto response = *answer_now(exchange.request());
  co_await exchange.respond(std::move(response));
}

void Gateway::open_metrics(const std::string& path) {
  const auto door = path.empty() ? "" : config_.listen.base_path + path;
  if (door == metrics_door_) return;
  if (!metrics_door_.empty()) doors_->shut(metrics_door_);
  if (!door.empty()) doors_->open(door, std::make_shared<MetricsDoor>(door, [this] { return metrics(); }));
  metrics_door_ = door;
}

void Gateway::log_calls(CallLines how) {
  if (applied_ && how == config_.log.calls) return;
  if (call_log_) forget(*call_log_);
  call_log_ = how == CallLines::off ? nullptr : std::make_shared<CallLog>(loop_.log, how == CallLines::json);
  if (call_log_) observe(call_log_);
}

void Gateway::tell_times(bool wanted) {
  if (wanted == (timing_ != nullptr)) return;
  if (timing_) forget(*timing_);
  timing_ = wanted ? std::make_shared<ServerTiming>() : nullptr;
  if (timing_) observe(timing_);
}

std::vector<ServerStatus> Gateway::status() const {
  std::vector<ServerStatus> all;
  for (const auto& server : config_.servers) {
    const auto found = servers_.find(server.name);
    if (found == servers_.end()) continue;
    all.push_back({.name = server.name,
                   .address = server.url.empty() ? server.command.front() : server.url,
                   .transport = server.url.empty() ? "stdio" : server.url.substr(0, server.url.find(':')),
                   .restarts = tallies_.at(server.name)->restarts,
                   .states = found->second.states()});
  }
  return all;
}

std::string Gateway::metrics() const {
  Exposition all;
  const Exposition::Labels version(1, {"version", FAIRLEAD_VERSION});
  all.add(MetricKind::gauge, "fairlead_build_info", "Which Fairlead this is.", version, 1);
  add_calls(all, *ledger_);
  for (const auto& server : status()) add_states(all, server);
  for (const auto& [name, tally] : tallies_) add_tally(all, name, *tally);
  const auto add_sessions = [&](const std::string& door, std::size_t count) {
    const Exposition::Labels labels(1, {"door", door});
    all.add(MetricKind::gauge, "fairlead_sessions", "Conversations with clients.", labels, as_number(count));
  };
  if (all_) add_sessions("/", all_->conversations());
  for (const auto& [name, room] : rooms_) add_sessions("/s/" + name, room->conversations());
  if (via_rooms_) add_sessions("via", via_rooms_->conversations());
  const auto add_streams = [&](const std::string& kind, std::size_t count) {
    const Exposition::Labels labels(1, {"kind", kind});
    all.add(MetricKind::gauge, "fairlead_streams",
            "What clients listen to: streams and sockets opened by GET, subscriptions.", labels, as_number(count));
  };
  add_streams("get", doors_->streams());
  add_streams("subscription", ledger_->listening());
  all.add(MetricKind::gauge, "fairlead_starts_waiting", "Servers that wait for others to have started.", {},
          as_number(starting_ ? starting_->waiting() : 0));
  add_chain(all, chain_, "");
  for (const auto& [name, running] : servers_) add_chain(all, running.chain, name);
  return all.text();
}

}  // namespace fairlead::gateway
