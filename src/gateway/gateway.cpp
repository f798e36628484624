#include "gateway/gateway.hpp"

#include <algorithm>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/transport/http_front.hpp>
#include <fmt/format.h>
#include <utility>

#include "gateway/chained.hpp"
#include "gateway/circle.hpp"
#include "gateway/endpoint.hpp"
#include "gateway/known_secrets.hpp"
#include "gateway/middleware/entries.hpp"
#include "gateway/pin/pins.hpp"
#include "gateway/server_secrets.hpp"

namespace fairlead::gateway {
namespace {

protocol::Implementation ourselves() {
  return {.name = "fairlead", .title = "Fairlead gateway", .version = FAIRLEAD_VERSION};
}

std::string door_of(const GatewayConfig& config, const std::string& server) {
  return config.listen.base_path + "/s/" + server;
}

MergeOptions merge_options(const GatewayConfig& config) {
  return {.names = config.merge, .deadline = config.list_deadline, .file = config.catalogue};
}

FrontOptions front_options(const GatewayConfig& config) {
  const auto patience = std::min(config.parking.patience, config.question_timeout);
  return {.parking = {.places = config.parking.places, .patience = patience},
          .question_timeout = config.question_timeout};
}

transport::HttpPaths below(const std::string& prefix, transport::HttpPaths paths) {
  for (auto* path : {&paths.mcp, &paths.sse, &paths.messages, &paths.rpc, &paths.rpc_stream, &paths.ws}) {
    if (!path->empty()) *path = prefix + *path;
  }
  return paths;
}

Seat seat_of(const ServerConfig& config, std::shared_ptr<Member> member) {
  return {
      .member = std::move(member), .prefix = config.prefix, .fingerprint = fingerprint(config), .lazy = config.lazy};
}

/// Each error a line, so that everything that is wrong is reported at once.
void add_error(Result<void>& all, Error error) {
  if (!all) error.message = all.error().message + "\n" + error.message;
  all = std::unexpected(std::move(error));
}

void add_wanted(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const auto& name : more) {
    const auto is_it = [&](const std::string& known) { return protocol::same_header(known, name); };
    if (std::ranges::none_of(all, is_it)) all.push_back(name);
  }
}

}  // namespace

Gateway::Gateway(Loop loop, Registry registry)
    : loop_(loop),
      registry_(std::move(registry)),
      tap_(std::make_shared<Tap>(loop)),
      scope_(loop.executor, loop.log, "gateway") {
  if (registry_.entries().contains("headers")) registry_.add("headers", headers_entry(header_sets_));
  const auto us = unmistakable_name();
  via_ = via_of(us);
  doors_ = std::make_shared<Doors>(us);
  via_rooms_ = std::make_unique<ViaRooms>(
      scope_, loop_.timers.clock(), header_sets_, via_, [this](const std::string& server) { return make_room(server); },
      [this](const std::string& server, transport::Host& host) {
        return make_door(server, host, ViaRooms::sessions_in_a_room);
      });
  const auto enter = [this](const std::string& prefix, const std::string& principal,
                            const std::string& via) -> std::shared_ptr<http::Handler> {
    const auto server = prefix.substr(prefix.rfind('/') + 1);
    return prefix.empty() || rooms_.contains(server) ? via_rooms_->enter(server, principal, via) : nullptr;
  };
  doors_->set_via({.enter = enter, .close = [this] { return via_rooms_->close(); }});
  observers_->add(ledger_);
  tracer_ = std::make_shared<Tracer>(loop_);
  observers_->add(tracer_);
}

Gateway::~Gateway() = default;

Result<Chain> Gateway::make_chain(const ChainConfig& config) const {
  Chain made;
  Result<void> all;
  for (const auto& step : config) {
    auto middleware = registry_.make(step.name, step.arguments, loop_);
    if (middleware) {
      made = made.then(std::shared_ptr<Middleware>(std::move(*middleware)));
      continue;
    }
    auto error = std::move(middleware.error());
    if (!step.at.text.empty()) error.message = step.at.text + ": " + error.message;
    add_error(all, std::move(error));
  }
  if (!all) return std::unexpected(std::move(all.error()));
  return made;
}

Result<Gateway::Running> Gateway::make(const ServerConfig& config, Duration question_timeout) {
  auto chain = make_chain(config.chain);
  if (!chain) return std::unexpected(std::move(chain.error()));
  auto options = upstream_options(config);
  options.question_timeout = question_timeout;
  options.gateway_ends = ends_;
  options.starting = starting_.get();
  auto& tally = tallies_[config.name];
  if (!tally) tally = options.tally;
  options.tally = tally;
  options.tasks = task_owners_.of(config);
  options.client.http.headers.push_back({"Via", via_});
  auto placed = config;
  placed.env[passed_by] = via_;
  placed.env[started_by] = for_children_;
  const auto dressed = [this, placed, options](const HeaderSets::Headers& headers) {
    auto own = options;
    for (const auto& header : headers) {
      put_header(own.client.http.headers, header);
      add_secrets(own.secrets, header.value);
    }
    return way_to(loop_, placed, std::move(own));
  };
  const auto way = std::make_shared<Wardrobe>(loop_, header_sets_, way_to(loop_, placed, options),
                                              config.url.empty() ? Wardrobe::Make() : Wardrobe::Make(dressed));
  const WatchPost post{.hop = Hop::server, .server = config.name};
  const auto watched = chain->then(std::make_shared<Watch>(observers_, loop_.timers.clock(), post));
  Running running{.config = config,
                  .chain = *chain,
                  .member = std::make_shared<Chained>(watched, way),
                  .stop = [way] { return way->stop(); },
                  .states = [way] { return way->states(); },
                  .forgive = [way] { way->forgive(); }};
  return running;
}

Result<void> Gateway::apply(const GatewayConfig& given) {
  if (stopping_) return fail(ErrorKind::closed, "the gateway is shutting down: its configuration does not change");
  const auto config = with_pins(given);
  auto for_children = told_to_children(config);
  if (!for_children) return std::unexpected(std::move(for_children.error()));
  // Once: children that stay when the configuration changes were told the first.
  if (for_children_.empty()) for_children_ = std::move(*for_children);
  if (!starting_) starting_ = std::make_unique<Turnstile>(config.spawn_concurrency);
  Result<void> all_right;
  auto chain = make_chain(config.chain);
  if (!chain) add_error(all_right, std::move(chain.error()));
  std::map<std::string, Running> made;
  for (const auto& server : config.servers) {
    const auto found = servers_.find(server.name);
    if (server.disabled || (found != servers_.end() && found->second.config == server)) continue;
    auto running = make(server, config.question_timeout);
    if (running) {
      made.emplace(server.name, std::move(*running));
    } else {
      add_error(all_right, std::move(running.error()));
    }
  }
  if (!all_right) return all_right;

  // From here on nothing can fail.
  log_calls(config.log.calls);
  tracer_->apply(config.trace);
  tell_times(config.server_timing);
  config_ = config;
  tap_->hiding().add_secrets(known_secrets(config));
  chain_ = *chain;
  if (!all_) all_ = make_room("");
  all_->set_chain(*chain);
  std::vector<Seat> seats;
  std::map<std::string, Running> kept;
  for (const auto& server : config.servers) {
    if (server.disabled) continue;
    auto& running = made.contains(server.name) ? made.at(server.name) : servers_.at(server.name);
    seats.push_back(seat_of(server, running.member));
    open_room(server.name, seats.back());
    rooms_.at(server.name)->set_chain(*chain);
  }
  via_rooms_->furnish(seats, *chain);
  all_->set_servers(std::move(seats));
  if (!applied_) open_doors("", all_);
  open_metrics(config.metrics);
  applied_ = true;
  for (auto& [name, running] : std::exchange(servers_, {})) {
    const auto* still = config.find(name);
    if (still && !still->disabled && !made.contains(name)) {
      running.forgive();
      kept.emplace(name, std::move(running));
    } else {
      const bool gone = !still || still->disabled;
      auto room = gone ? std::move(rooms_.at(name)) : nullptr;
      if (gone) rooms_.erase(name);
      scope_.spawn(retire(gone ? doors_->shut(door_of(config_, name)) : nullptr, std::move(room), std::move(running)));
    }
  }
  kept.merge(made);
  servers_ = std::move(kept);
  bring_headers();
  all_->servers().warm_up();
  return {};
}

// All that is looked at of what clients send beside their messages.
void Gateway::bring_headers() {
  wanted_headers_.assign(protocol::meta::trace.begin(), protocol::meta::trace.end());
  add_wanted(wanted_headers_, chain_.wanted_headers());
  for (const auto& [name, running] : servers_) add_wanted(wanted_headers_, running.chain.wanted_headers());
  all_->want_headers(wanted_headers_);
  for (const auto& [name, room] : rooms_) room->want_headers(wanted_headers_);
  via_rooms_->want_headers(wanted_headers_);
}

std::unique_ptr<Room> Gateway::make_room(const std::string& server) const {
  auto options = merge_options(config_);
  // One room alone keeps the file: that of all, for those who come here directly.
  if (!server.empty() || all_) options.file.clear();
  auto room = std::make_unique<Room>(loop_, server.empty() ? "gateway" : server, ourselves(), std::move(options),
                                     front_options(config_), observers_, tap_);
  room->want_headers(wanted_headers_);
  return room;
}

void Gateway::open_room(const std::string& name, const Seat& seat) {
  auto& room = rooms_[name];
  const bool is_new = !room;
  if (is_new) room = make_room(name);
  room->set_servers({seat});
  if (is_new) open_doors(name, room);
}

std::shared_ptr<http::Handler> Gateway::make_door(const std::string& server, transport::Host& host,
                                                  std::optional<std::size_t> sessions) const {
  transport::HttpFrontOptions options;
  if (sessions) options.streamable.sessions.max_entries = options.sse.max_streams = *sessions;
  options.paths = below(server.empty() ? config_.listen.base_path : door_of(config_, server), config_.listen.paths);
  options.single_path = config_.listen.single_path;
  if (!server.empty()) options.paths.health = options.paths.ready = "";
  return transport::make_http_front(loop_, 0, host, options);
}

void Gateway::open_doors(const std::string& server, const std::shared_ptr<Room>& room) {
  doors_->open(server.empty() ? "" : door_of(config_, server), door_to(room, make_door(server, room->host())));
}

Task<void> Gateway::retire(std::shared_ptr<http::Handler> door, std::shared_ptr<Room> room,
                           std::optional<Running> server) {
  if (door) co_await door->close();
  if (room) co_await room->stop();
  if (server) co_await server->stop();
}

Task<Result<void>> Gateway::reach_all() {
  // A copy: a reload may change them while one is waited for.
  std::vector<std::shared_ptr<Member>> members;
  for (const auto& [name, running] : servers_) members.push_back(running.member);
  for (const auto& member : members) {
    auto described = co_await member->describe();
    if (!described) co_return std::unexpected(std::move(described.error()));
  }
  co_return Result<void>();
}

void Gateway::end_calls() {
  stopping_ = *ends_ = true;
  for (const auto& [name, running] : servers_) scope_.spawn(running.stop());
}

Task<void> Gateway::stop() {
  stopping_ = *ends_ = true;
  co_await via_rooms_->stop();
  for (auto& [name, room] : rooms_) co_await room->stop();
  if (all_) co_await all_->stop();
  for (auto& [name, running] : servers_) scope_.spawn(running.stop());
  co_await scope_.join();
  co_await tracer_->stop();
}

}  // namespace fairlead::gateway
