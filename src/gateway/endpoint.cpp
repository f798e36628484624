#include "gateway/endpoint.hpp"

#include <algorithm>
#include <fairlead/auth/keyring.hpp>

#include "gateway/server_secrets.hpp"

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

std::string fingerprint(const ServerConfig& config) {
  std::string all = config.url + '\0' + config.cwd + '\0' + config.revision;
  for (const auto& word : config.command) all += '\0' + word;
  for (const auto& [name, value] : config.env) all += '\0' + name + '=' + value;
  for (const auto& [name, value] : config.headers) all += '\0' + name + ':' + value;
  return auth::hash_of(all).substr(0, 16);
}

}  // namespace fairlead::gateway
