#include "gateway/upstream/backend_factory.hpp"

#include <algorithm>

#include "crypto/digest.hpp"
#include "gateway/model/config_secrets.hpp"
#include "gateway/model/task_extension.hpp"
#include "gateway/upstream/per_caller_pool.hpp"
#include "gateway/upstream/per_era_pool.hpp"

namespace fairlead::gateway {
namespace {

// Limits the memory for one message, like the limit of HTTP responses.
constexpr std::size_t max_message_bytes = std::size_t{64} * 1024 * 1024;
// Connections cost less than processes.
constexpr std::size_t max_connections = 1024;
constexpr Duration unlimited = std::chrono::hours{24 * 3650};

Duration or_unlimited(Duration limit) {
  return limit > Duration{} ? limit : unlimited;
}

UpstreamOptions options_for_caller(UpstreamOptions own, const ServerConfig& config, const session::Call& call) {
  const bool shook_hands = call.context.revision && call.context.revision->server_initiated_requests;
  if (shook_hands) {
    own.capabilities = call.context.caller->capabilities;
    remove_tasks_extension(own.capabilities->extensions);
  }
  if (shook_hands && own.client.era == client::EraPreference::automatic)
    own.client.era = client::EraPreference::handshake_first;
  own.single_caller = true;
  // Each process has task ids of its own; a server at a URL is the same one for all callers.
  if (config.url.empty()) own.tasks = std::make_shared<TaskOwners<TaskOwner>>();
  return own;
}

std::shared_ptr<ManagedBackend> make_per_caller(const EventLoop& loop, const ServerConfig& config,
                                                const UpstreamOptions& options,
                                                const std::shared_ptr<ServerCredentials>& credentials) {
  const auto make_one = [loop, config, options, credentials](const session::Call& call) {
    auto own = options_for_caller(options, config, call);
    if (credentials) own.client.http.tokens = credentials->of(call);
    return std::make_shared<Upstream>(loop, endpoint_of(config), std::move(own));
  };
  PerCallerPoolOptions pool{.name = config.name};
  if (!config.url.empty()) pool.max_servers = max_connections;
  if (credentials && credentials->per_caller()) {
    pool.admit = [credentials](const session::Call& call) { return credentials->admit(call); };
  }
  return std::make_shared<PerCallerPool>(loop, make_one, std::move(pool));
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
  child.framing.max_message = max_message_bytes;
  return child;
}

UpstreamOptions upstream_options(const ServerConfig& config) {
  UpstreamOptions options{.name = config.name};
  options.client.era = config.era;
  options.client.revision = config.revision;
  // Discovery is a part of the start.
  options.client.discover_timeout = std::min(options.client.discover_timeout, or_unlimited(config.start_timeout));
  options.client.timeouts = {.idle = or_unlimited(config.start_timeout), .total = or_unlimited(config.start_timeout)};
  for (const auto& [name, value] : config.headers) options.client.http.headers.push_back({name, value});
  options.secrets = secrets_of(config);
  options.client.http.http.tls = {.ca_file = config.cacert, .certificate_file = config.cert, .key_file = config.key};
  options.timeouts = {.idle = or_unlimited(config.timeout), .total = or_unlimited(config.max_time)};
  options.max_in_flight = config.max_in_flight;
  options.max_waiting = config.max_waiting;
  options.restart = {.initial_delay = config.restart.initial_delay,
                     .max_delay = config.restart.max_delay,
                     .give_up_after = config.restart.max_failures};
  options.idle_timeout = config.idle_stop;
  return options;
}

std::shared_ptr<ManagedBackend> make_backend(const EventLoop& loop, const ServerConfig& config,
                                             const UpstreamOptions& given,
                                             const std::shared_ptr<ServerCredentials>& credentials) {
  auto options = given;
  if (credentials) options.client.http.tokens = credentials->shared();
  if (config.share == Share::caller || (credentials && credentials->per_caller())) {
    return make_per_caller(loop, config, options, credentials);
  }
  const auto make_shared_upstream = [loop, config, options](client::EraPreference era) {
    auto own = options;
    own.client.era = era;
    return std::make_shared<Upstream>(loop, endpoint_of(config), std::move(own));
  };
  if (options.client.era == client::EraPreference::automatic && options.client.revision.empty())
    return std::make_shared<PerEraPool>(loop, config.name, make_shared_upstream);
  return make_shared_upstream(options.client.era);
}

std::string fingerprint(const ServerConfig& config) {
  std::string all = config.url + '\0' + config.cwd + '\0' + config.revision;
  for (const auto& word : config.command) all += '\0' + word;
  for (const auto& [name, value] : config.env) all += '\0' + name + '=' + value;
  for (const auto& [name, value] : config.headers) all += '\0' + name + ':' + value;
  // Lists depend on the account.
  if (config.auth.oauth) all += '\0' + config.auth.oauth->account + '\0' + config.auth.oauth->client_id;
  return crypto::sha256_hex(all).substr(0, 16);
}

}  // namespace fairlead::gateway
