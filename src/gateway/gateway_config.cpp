#include <algorithm>
#include <fairlead/auth/credential_store.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <utility>

#include "gateway/chain/backend_with_chain.hpp"
#include "gateway/gateway.hpp"
#include "gateway/model/added_headers.hpp"
#include "gateway/model/config_secrets.hpp"
#include "gateway/pin/pins.hpp"
#include "gateway/upstream/absorbed_tasks.hpp"
#include "gateway/upstream/backend_factory.hpp"
#include "gateway/upstream/loop_detection.hpp"

/// Applies a configuration: makes what is new, keeps what is unchanged, retires what was removed.
namespace fairlead::gateway {
namespace {

BackendSlot slot_of(const ServerConfig& config, std::shared_ptr<Backend> backend) {
  return {
      .backend = std::move(backend), .prefix = config.prefix, .fingerprint = fingerprint(config), .lazy = config.lazy};
}

/// Collects one line per error, so that all problems are reported at once.
void add_error(Result<void>& all, Error error) {
  if (!all) error.message = all.error().message + "\n" + error.message;
  all = std::unexpected(std::move(error));
}

/// False for a command and for a socket without HTTP.
bool has_headers(std::string_view url) {
  return !url.empty() && !url.starts_with("unix:") && !url.starts_with("tcp:");
}

// The key of the vault serves several purposes: TaskSeal derives its own keys from it.
std::string key_file_of_tasks(const GatewayConfig& config) {
  return config.task_key.empty() ? config.vault.key_file : config.task_key;
}

void add_wanted(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const auto& name : more) {
    const auto is_it = [&](const std::string& known) { return protocol::same_header(known, name); };
    if (std::ranges::none_of(all, is_it)) all.push_back(name);
  }
}

}  // namespace

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

std::shared_ptr<Backend> Gateway::with_task_handling(const ServerConfig& config, std::shared_ptr<Backend> backend) {
  if (config.tasks == TaskHandling::absorb) {
    const AbsorbedTaskOptions options{.max_time = upstream_options(config).timeouts.total};
    return std::make_shared<BackendWithAbsorbedTasks>(loop_, std::move(backend), options);
  }
  if (config.tasks != TaskHandling::offer) return backend;
  auto& tasks = offered_tasks_[config.name];
  if (!tasks) tasks = std::make_shared<OfferedTasks>();
  return std::make_shared<BackendWithOfferedTasks>(loop_, scope_, std::move(backend), tasks, config.task_after);
}

Result<Gateway::RunningServer> Gateway::make_server(const ServerConfig& config, Duration server_request_timeout) {
  auto chain = make_chain(config.chain);
  if (!chain) return std::unexpected(std::move(chain.error()));
  auto options = upstream_options(config);
  options.server_request_timeout = server_request_timeout;
  options.gateway_stopping = shutting_down_;
  options.start_permits = start_permits_.get();
  auto& counters = start_counters_[config.name];
  if (!counters) counters = options.counters;
  options.counters = counters;
  options.tasks = task_owners_.of(config);
  options.client.http.headers.push_back({"Via", via_});
  auto with_markers = config;
  with_markers.env[via_env] = via_;
  with_markers.env[started_by_env] = child_marker_;
  auto credentials = ServerCredentials::make(config, credentials_);
  if (!credentials) return std::unexpected(std::move(credentials.error()));
  auto server = make_backend(loop_, with_markers, options, *credentials);
  if (has_headers(config.url)) {
    const auto make_with_headers = [this, with_markers, options,
                                    credentials](const std::vector<protocol::Header>& headers) {
      auto own = options;
      for (const auto& header : headers) {
        put_header(own.client.http.headers, header);
        add_secrets(own.secrets, header.value);
      }
      return make_backend(loop_, with_markers, own, *credentials);
    };
    server = std::make_shared<HeaderKeyedPool>(loop_, std::move(server), make_with_headers);
  }
  std::shared_ptr<Backend> backend = std::make_shared<ObservedBackend>(observers_, loop_.timers.clock(), server);
  backend = with_task_handling(config, std::move(backend));
  if (!chain->steps().empty()) backend = std::make_shared<BackendWithChain>(*chain, std::move(backend));
  return RunningServer{.config = config, .chain = *chain, .server = std::move(server), .backend = std::move(backend)};
}

// Kept while it is unchanged: an open vault in memory has the logins of callers.
Result<void> Gateway::open_vault(const VaultConfig& vault) {
  if (vault == config_.vault || vault.folder.empty()) return {};
  auto opened = auth::vault_store(vault.folder, vault.key_file);
  if (!opened) return fail(ErrorKind::invalid, "vault: " + opened.error().message);
  // The servers share it.
  credentials_->vault = std::move(*opened);
  return {};
}

Result<std::optional<TaskSeal>> Gateway::changed_task_seal(const GatewayConfig& config) const {
  const auto file = key_file_of_tasks(config);
  if (file == key_file_of_tasks(config_)) return std::nullopt;
  if (file.empty()) return TaskSeal::random();
  const auto key = auth::read_vault_key(file);
  if (!key) return fail(ErrorKind::invalid, "task_key: " + key.error().message);
  return TaskSeal(*key);
}

Result<void> Gateway::apply(const GatewayConfig& given) {
  if (stopping_) return fail(ErrorKind::closed, "the gateway is shutting down and accepts no new configuration");
  const auto config = with_pins(given);
  auto marker = child_marker(config);
  if (!marker) return std::unexpected(std::move(marker.error()));
  // Set once: running children keep the first value.
  if (child_marker_.empty()) child_marker_ = std::move(*marker);
  if (!start_permits_) start_permits_ = std::make_unique<AsyncSemaphore>(config.spawn_concurrency);
  auto outcome = open_vault(config.vault);
  auto seal = changed_task_seal(config);
  if (!seal) add_error(outcome, std::move(seal.error()));
  auto chain = make_chain(config.chain);
  if (!chain) add_error(outcome, std::move(chain.error()));
  std::map<std::string, RunningServer> made;
  for (const auto& server : config.servers) {
    const auto found = servers_.find(server.name);
    if (server.disabled || (found != servers_.end() && found->second.config == server)) continue;
    auto running = make_server(server, config.server_request_timeout);
    if (running) {
      made.emplace(server.name, std::move(*running));
    } else {
      add_error(outcome, std::move(running.error()));
    }
  }
  auto scopes = auth::ScopePolicy::make(config.listen.oauth.scopes);
  if (!scopes) add_error(outcome, std::move(scopes.error()));
  if (outcome) *task_scopes_ = std::move(*scopes);
  if (outcome && *seal) *task_seal_ = std::move(**seal);
  if (outcome) commit(config, *chain, std::move(made));
  return outcome;
}

void Gateway::commit(const GatewayConfig& config, const Chain& chain, std::map<std::string, RunningServer> made) {
  set_access_log(config.log.calls);
  tracer_->apply(config.trace);
  set_server_timing(config.server_timing);
  config_ = config;
  tap_->redactor().add_secrets(known_secrets(config));
  chain_ = chain;
  if (!aggregate_) aggregate_ = make_virtual_server("");
  aggregate_->set_chain(chain);
  std::vector<BackendSlot> slots;
  for (const auto& server : config.servers) {
    if (server.disabled) continue;
    auto& running = made.contains(server.name) ? made.at(server.name) : servers_.at(server.name);
    slots.push_back(slot_of(server, running.backend));
    add_virtual_server(server.name, slots.back());
    virtual_servers_.at(server.name)->set_chain(chain);
  }
  servers_by_via_->configure(slots, chain);
  aggregate_->set_servers(std::move(slots));
  if (!applied_) add_route("", aggregate_);
  if (!applied_) router_->add(config_.listen.base_path + std::string(sign_in_path), credentials_->pages);
  serve_metrics(config.metrics);
  applied_ = true;
  replace_servers(std::move(made));
  request_client_headers();
  aggregate_->aggregator().prefetch_lists();
}

void Gateway::replace_servers(std::map<std::string, RunningServer> made) {
  for (auto& [name, running] : std::exchange(servers_, {})) {
    const auto* still = config_.find(name);
    const bool gone = !still || still->disabled;
    if (!gone && !made.contains(name)) {
      running.server->reset_backoff();
      made.emplace(name, std::move(running));
      continue;
    }
    auto virtual_server = gone ? std::move(virtual_servers_.at(name)) : nullptr;
    if (gone) virtual_servers_.erase(name);
    auto handler = gone ? router_->remove(prefix_of(name)) : nullptr;
    scope_.spawn(retire(std::move(handler), std::move(virtual_server), running.server));
  }
  servers_ = std::move(made);
}

// Collects the client headers that tracing and the chains need.
void Gateway::request_client_headers() {
  wanted_headers_.assign(protocol::meta::trace.begin(), protocol::meta::trace.end());
  add_wanted(wanted_headers_, chain_.wanted_headers());
  for (const auto& [name, running] : servers_) add_wanted(wanted_headers_, running.chain.wanted_headers());
  aggregate_->want_headers(wanted_headers_);
  for (const auto& [name, virtual_server] : virtual_servers_) virtual_server->want_headers(wanted_headers_);
  servers_by_via_->want_headers(wanted_headers_);
}

}  // namespace fairlead::gateway
