#include "gateway/gateway.hpp"

#include <cstdlib>
#include <fairlead/base/log.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/transport/http_front.hpp>
#include <fmt/format.h>
#include <random>
#include <utility>

#include "gateway/chained.hpp"
#include "gateway/endpoint.hpp"
#include "gateway/middleware/entries.hpp"
#include "gateway/upstream/per_caller.hpp"

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
  return {.parking = {.places = config.parking.places, .patience = config.parking.patience}};
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

// By which a gateway tells its children who started them, in case one of them is a gateway that leads back here.
constexpr auto passed_by = "FAIRLEAD_VIA";

std::string unmistakable_name() {
  std::random_device random;
  return fmt::format("fairlead-{:08x}{:08x}", random(), random());
}

}  // namespace

Gateway::Gateway(Loop loop, Registry registry)
    : loop_(loop), registry_(std::move(registry)), scope_(loop.executor, loop.log, "gateway") {
  if (registry_.entries().contains("headers")) registry_.add("headers", headers_entry(header_sets_));
  const auto us = unmistakable_name();
  const char* others = std::getenv(passed_by);
  via_ = "1.1 " + us + (others && *others ? ", " + std::string(others) : "");
  doors_ = std::make_shared<Doors>(us);
}

Gateway::~Gateway() = default;

Result<Chain> Gateway::make_chain(const ChainConfig& config) const {
  Chain made;
  for (const auto& step : config) {
    auto middleware = registry_.make(step.name, step.arguments, loop_);
    if (!middleware) {
      auto error = std::move(middleware.error());
      if (!step.at.text.empty()) error.message = step.at.text + ": " + error.message;
      return std::unexpected(std::move(error));
    }
    made = made.then(std::shared_ptr<Middleware>(std::move(*middleware)));
  }
  return made;
}

WayToServer Gateway::way_to(const ServerConfig& config, UpstreamOptions options) const {
  if (config.share == Share::caller) {
    const auto make_one = [loop = loop_, config, options](const session::Call& call) {
      auto own = options;
      const bool shook_hands = call.context.revision && call.context.revision->server_asks;
      if (shook_hands) own.offers = call.context.caller->capabilities;
      return std::make_shared<Upstream>(loop, endpoint_of(config), std::move(own));
    };
    auto each = std::make_shared<PerCaller>(loop_, make_one, PerCallerOptions{.name = config.name});
    return {.member = each, .stop = [each] { return each->stop(); }, .states = [each] { return each->states(); }};
  }
  auto shared = std::make_shared<Upstream>(loop_, endpoint_of(config), std::move(options));
  return {.member = shared,
          .stop = [shared] { return shared->stop(); },
          .states = [shared] { return std::vector{shared->state()}; },
          .forgive = [shared] { shared->forgive(); }};
}

Result<Gateway::Running> Gateway::make(const ServerConfig& config) {
  auto chain = make_chain(config.chain);
  if (!chain) return std::unexpected(std::move(chain.error()));
  auto options = upstream_options(config);
  options.starting = starting_.get();
  options.client.http.headers.push_back({"Via", via_});
  auto placed = config;
  placed.env[passed_by] = via_;
  const auto dressed = [this, placed, options](const HeaderSets::Headers& headers) {
    auto own = options;
    for (const auto& header : headers) {
      put_header(own.client.http.headers, header);
      if (header.value.size() >= Redactor::shortest_secret) own.secrets.push_back(header.value);
    }
    return way_to(placed, std::move(own));
  };
  const auto way = std::make_shared<Wardrobe>(loop_, header_sets_, way_to(placed, options),
                                              config.url.empty() ? Wardrobe::Make() : Wardrobe::Make(dressed));
  Running running{.config = config,
                  .member = way,
                  .stop = [way] { return way->stop(); },
                  .states = [way] { return way->states(); },
                  .forgive = [way] { way->forgive(); }};
  if (!config.chain.empty()) running.member = std::make_shared<Chained>(*chain, running.member);
  return running;
}

Result<void> Gateway::apply(const GatewayConfig& config) {
  if (!starting_) starting_ = std::make_unique<Turnstile>(config.spawn_concurrency);
  auto chain = make_chain(config.chain);
  if (!chain) return std::unexpected(std::move(chain.error()));
  std::map<std::string, Running> made;
  for (const auto& server : config.servers) {
    const auto found = servers_.find(server.name);
    if (server.disabled || (found != servers_.end() && found->second.config == server)) continue;
    auto running = make(server);
    if (!running) return std::unexpected(std::move(running.error()));
    made.emplace(server.name, std::move(*running));
  }

  // From here on nothing can fail.
  config_ = config;
  if (!all_) all_ = std::make_unique<Room>(loop_, "gateway", ourselves(), merge_options(config), front_options(config));
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
  all_->set_servers(std::move(seats));
  if (!applied_) open_doors(config.listen.base_path, all_->host());
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
  all_->servers().warm_up();
  return {};
}

void Gateway::open_room(const std::string& name, const Seat& seat) {
  auto& room = rooms_[name];
  const bool is_new = !room;
  if (is_new) {
    auto options = merge_options(config_);
    options.file.clear();
    room = std::make_unique<Room>(loop_, name, ourselves(), std::move(options), front_options(config_));
  }
  room->set_servers({seat});
  if (is_new) open_doors(door_of(config_, name), room->host());
}

void Gateway::open_doors(const std::string& prefix, transport::Host& host) {
  transport::HttpFrontOptions options;
  options.paths = below(prefix, config_.listen.paths);
  options.single_path = config_.listen.single_path;
  const bool is_root = prefix == config_.listen.base_path;
  if (!is_root) options.paths.health = options.paths.ready = "";
  doors_->open(is_root ? "" : prefix, transport::make_http_front(loop_, 0, host, options));
}

Task<void> Gateway::retire(std::shared_ptr<http::Handler> door, std::unique_ptr<Room> room,
                           std::optional<Running> server) {
  if (door) co_await door->close();
  if (room) co_await room->stop();
  if (server) co_await server->stop();
}

std::vector<ServerStatus> Gateway::status() const {
  std::vector<ServerStatus> all;
  for (const auto& server : config_.servers) {
    const auto found = servers_.find(server.name);
    if (found == servers_.end()) continue;
    all.push_back({server.name, server.url.empty() ? server.command.front() : server.url, found->second.states()});
  }
  return all;
}

Task<void> Gateway::stop() {
  for (auto& [name, room] : rooms_) co_await room->stop();
  if (all_) co_await all_->stop();
  for (auto& [name, running] : servers_) scope_.spawn(running.stop());
  co_await scope_.join();
}

}  // namespace fairlead::gateway
