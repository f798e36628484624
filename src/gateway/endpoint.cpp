#include "gateway/endpoint.hpp"

#include <algorithm>
#include <fairlead/auth/keyring.hpp>

#include "gateway/server_secrets.hpp"
#include "gateway/task_extension.hpp"
#include "gateway/upstream/era_legs.hpp"
#include "gateway/upstream/per_caller.hpp"

namespace fairlead::gateway {
namespace {

// A line without end must not take all the memory there is. As much as an answer over HTTP may have.
constexpr std::size_t largest_message = std::size_t{64} * 1024 * 1024;
constexpr Duration for_ever = std::chrono::hours{24 * 3650};

Duration or_for_ever(Duration limit) {
  return limit > Duration{} ? limit : for_ever;
}

}  // namespace

client::Endpoint endpoint_of(const ServerConfig& config) {
  if (!config.url.empty()) return config.url;
  transport::ChildOptions child{.command = config.command, .environment = config.env};
  child.inherit_environment = config.inherit_env;
  child.directory = config.cwd;
  const auto cpu = std::chrono::ceil<std::chrono::seconds>(config.cpu_time).count();
  child.limits = {
      .memory = config.memory.count, .cpu_seconds = static_cast<std::uint64_t>(cpu), .open_files = config.open_files};
  child.framing.name = config.name;
  child.framing.max_message = largest_message;
  return child;
}

UpstreamOptions upstream_options(const ServerConfig& config) {
  UpstreamOptions options{.name = config.name};
  options.client.era = config.era;
  options.client.revision = config.revision;
  // Asking what it speaks is a part of its start.
  options.client.probe = std::min(options.client.probe, or_for_ever(config.start_timeout));
  options.client.patience = {.idle = or_for_ever(config.start_timeout), .cap = or_for_ever(config.start_timeout)};
  for (const auto& [name, value] : config.headers) options.client.http.headers.push_back({name, value});
  options.secrets = secrets_of(config);
  options.client.http.http.tls = {.ca_file = config.cacert, .certificate_file = config.cert, .key_file = config.key};
  options.patience = {.idle = or_for_ever(config.timeout), .cap = or_for_ever(config.max_time)};
  options.max_in_flight = config.max_in_flight;
  options.max_waiting = config.max_waiting;
  options.restart = {
      .first = config.restart.first, .most = config.restart.most, .give_up_after = config.restart.give_up_after};
  options.idle_stop = config.idle_stop;
  return options;
}

WayToServer way_to(const Loop& loop, const ServerConfig& config, const UpstreamOptions& options) {
  if (config.share == Share::caller) {
    const auto make_one = [loop, config, options](const session::Call& call) {
      auto own = options;
      const bool shook_hands = call.context.revision && call.context.revision->server_asks;
      if (shook_hands) {
        own.offers = call.context.caller->capabilities;
        without_tasks(own.offers->extensions);
      }
      if (shook_hands && own.client.era == client::Era::automatic) own.client.era = client::Era::handshake_first;
      own.one_caller = true;
      // Each process counts its tasks from anew; a server at a URL is the same one for all.
      if (config.url.empty()) own.tasks = std::make_shared<TaskOwners<TaskOwner>>();
      return std::make_shared<Upstream>(loop, endpoint_of(config), std::move(own));
    };
    auto each = std::make_shared<PerCaller>(loop, make_one, PerCallerOptions{.name = config.name});
    return {.member = each, .stop = [each] { return each->stop(); }, .states = [each] { return each->states(); }};
  }
  const auto make_leg = [loop, config, options](client::Era era) {
    auto own = options;
    own.client.era = era;
    return std::make_shared<Upstream>(loop, endpoint_of(config), std::move(own));
  };
  if (options.client.era == client::Era::automatic && options.client.revision.empty()) {
    auto legs = std::make_shared<EraLegs>(loop, config.name, make_leg);
    return {.member = legs,
            .stop = [legs] { return legs->stop(); },
            .states = [legs] { return legs->states(); },
            .forgive = [legs] { legs->forgive(); }};
  }
  const auto shared = make_leg(options.client.era);
  return {.member = shared,
          .stop = [shared] { return shared->stop(); },
          .states = [shared] { return std::vector{shared->state()}; },
          .forgive = [shared] { shared->forgive(); }};
}

std::string fingerprint(const ServerConfig& config) {
  std::string all = config.url + '\0' + config.cwd + '\0' + config.revision;
  for (const auto& word : config.command) all += '\0' + word;
  for (const auto& [name, value] : config.env) all += '\0' + name + '=' + value;
  for (const auto& [name, value] : config.headers) all += '\0' + name + ':' + value;
  return auth::hash_of(all).substr(0, 16);
}

}  // namespace fairlead::gateway
