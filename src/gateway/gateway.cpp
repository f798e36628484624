#include "gateway/gateway.hpp"

#include <algorithm>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/transport/mcp_http_handler.hpp>
#include <fmt/format.h>

#include "gateway/upstream/loop_detection.hpp"

namespace fairlead::gateway {
namespace {

protocol::Implementation gateway_info() {
  return {.name = "fairlead", .title = "Fairlead gateway", .version = FAIRLEAD_VERSION};
}

AggregatorOptions aggregator_options(const GatewayConfig& config) {
  return {
      .info = gateway_info(), .names = config.naming, .list_timeout = config.list_timeout, .file = config.list_cache};
}

EraAdapterOptions era_options(const GatewayConfig& config, TaskHandleOptions tasks) {
  const auto timeout = std::min(config.pending_input.timeout, config.server_request_timeout);
  EraAdapterOptions options{.suspended_calls = {.max_calls = config.pending_input.max_calls, .timeout = timeout},
                            .server_request_timeout = config.server_request_timeout};
  options.tasks = std::move(tasks);
  return options;
}

transport::HttpPaths below(const std::string& prefix, transport::HttpPaths paths) {
  for (auto* path : {&paths.mcp, &paths.sse, &paths.messages, &paths.rpc, &paths.rpc_stream, &paths.ws}) {
    if (!path->empty()) *path = prefix + *path;
  }
  return paths;
}

}  // namespace

Gateway::Gateway(EventLoop loop, Registry registry, CredentialOptions credentials)
    : loop_(loop),
      registry_(std::move(registry)),
      tap_(std::make_shared<TapHub>(loop)),
      credentials_(std::make_shared<CredentialServices>(CredentialServices{.options = std::move(credentials)})),
      scope_(loop.executor, loop.log, "gateway") {
  const auto instance_id = make_instance_id();
  via_ = via_header(instance_id);
  router_ = std::make_shared<PathRouter>(instance_id);
  servers_by_via_ = std::make_unique<VirtualServersByVia>(
      scope_, loop_.timers.clock(), via_, [this](const std::string& server) { return make_virtual_server(server); },
      [this](const std::string& server, transport::SessionFactory& factory) {
        return make_http_handler(server, factory, VirtualServersByVia::max_sessions_per_server);
      });
  const auto handler_for = [this](const std::string& prefix, const std::string& principal,
                                  const std::string& via) -> std::shared_ptr<http::Handler> {
    const auto server = prefix.substr(prefix.rfind('/') + 1);
    return prefix.empty() || virtual_servers_.contains(server) ? servers_by_via_->handler_for(server, principal, via)
                                                               : nullptr;
  };
  router_->set_via({.handler_for = handler_for, .close = [this] { return servers_by_via_->close(); }});
  observers_->add(call_metrics_);
  tracer_ = std::make_shared<Tracer>(loop_);
  observers_->add(tracer_);
}

Gateway::~Gateway() = default;

std::unique_ptr<VirtualServer> Gateway::make_virtual_server(const std::string& server) const {
  auto options = aggregator_options(config_);
  // Only the aggregate for direct clients stores the lists in a file.
  if (!server.empty() || aggregate_) options.file.clear();
  auto virtual_server =
      std::make_unique<VirtualServer>(loop_, server.empty() ? "gateway" : server, std::move(options),
                                      era_options(config_, {server, task_seal_, task_scopes_}), observers_, tap_);
  virtual_server->want_headers(wanted_headers_);
  return virtual_server;
}

void Gateway::add_virtual_server(const std::string& name, const BackendSlot& slot) {
  auto& virtual_server = virtual_servers_[name];
  const bool is_new = !virtual_server;
  if (is_new) virtual_server = make_virtual_server(name);
  virtual_server->set_servers({slot});
  if (is_new) add_route(name, virtual_server);
}

std::shared_ptr<http::Handler> Gateway::make_http_handler(const std::string& server, transport::SessionFactory& factory,
                                                          std::optional<std::size_t> max_sessions) const {
  transport::McpHttpOptions options;
  if (max_sessions) options.streamable.sessions.max_entries = options.sse.max_streams = *max_sessions;
  options.paths = below(server.empty() ? config_.listen.base_path : prefix_of(server), config_.listen.paths);
  options.single_path = config_.listen.single_path;
  if (!server.empty()) options.paths.health = options.paths.ready = "";
  return transport::make_mcp_http_handler(loop_, 0, factory, options);
}

void Gateway::add_route(const std::string& server, const std::shared_ptr<VirtualServer>& virtual_server) {
  router_->add(server.empty() ? "" : prefix_of(server),
               handler_owning(virtual_server, make_http_handler(server, virtual_server->session_factory())));
}

Task<void> Gateway::retire(std::shared_ptr<http::Handler> handler, std::shared_ptr<VirtualServer> virtual_server,
                           std::shared_ptr<ManagedBackend> server) {
  if (handler) co_await handler->close();
  if (virtual_server) co_await virtual_server->stop();
  co_await server->stop();
}

Task<Result<void>> Gateway::connect_all() {
  // A copy: a reload may replace the servers during the wait.
  std::vector<std::shared_ptr<Backend>> backends;
  for (const auto& [name, running] : servers_) backends.push_back(running.backend);
  for (const auto& backend : backends) {
    auto described = co_await backend->describe();
    if (!described) co_return std::unexpected(std::move(described.error()));
  }
  co_return Result<void>();
}

void Gateway::abort_calls() {
  stopping_ = *shutting_down_ = true;
  for (const auto& [name, running] : servers_) scope_.spawn(stop_backend(running.server));
}

Task<void> Gateway::stop() {
  stopping_ = *shutting_down_ = true;
  co_await credentials_->pages->end_all();
  co_await servers_by_via_->stop();
  for (auto& [name, virtual_server] : virtual_servers_) co_await virtual_server->stop();
  if (aggregate_) co_await aggregate_->stop();
  for (const auto& [name, running] : servers_) scope_.spawn(stop_backend(running.server));
  co_await scope_.join();
  co_await tracer_->stop();
}

}  // namespace fairlead::gateway
