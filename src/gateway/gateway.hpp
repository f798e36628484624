#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/gateway/registry.hpp>

#include "base/async_semaphore.hpp"
#include "gateway/config/config.hpp"
#include "gateway/observe/call_metrics.hpp"
#include "gateway/observe/observing_middleware.hpp"
#include "gateway/observe/server_timing_observer.hpp"
#include "gateway/observe/tracer.hpp"
#include "gateway/routing/path_router.hpp"
#include "gateway/routing/virtual_server.hpp"
#include "gateway/routing/virtual_servers_by_via.hpp"
#include "gateway/upstream/header_keyed_pool.hpp"
#include "gateway/upstream/offered_tasks.hpp"
#include "gateway/upstream/server_credentials.hpp"
#include "gateway/upstream/server_status.hpp"
#include "gateway/upstream/task_owner_registry.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {

/// The gateway between the listeners and the external servers, built from a configuration. Used on one event loop.
///
/// All servers together are one virtual server at the root path; each server also has one of its own at `/s/<name>`.
class Gateway : NonCopyable {
 public:
  Gateway(EventLoop loop, Registry registry, CredentialOptions credentials = {});
  ~Gateway();

  /// Applies a configuration. Unchanged servers and open sessions continue. On error nothing has changed; the message
  /// has one line per problem.
  Result<void> apply(const GatewayConfig& config);

  /// Sessions of the virtual server that aggregates all servers.
  transport::SessionFactory& session_factory() { return aggregate_->session_factory(); }
  /// Routes HTTP requests to all virtual servers.
  std::shared_ptr<PathRouter> router() const { return router_; }
  Aggregator& aggregator() { return aggregate_->aggregator(); }

  /// The pages on which callers sign in to servers, below `sign_in_path`.
  SignInPages& sign_in_pages() { return *credentials_->pages; }

  /// Connects to every server; returns the first error.
  Task<Result<void>> connect_all();

  std::vector<ServerStatus> status() const;
  /// Messages of clients, for subscribers of the control socket.
  const std::shared_ptr<TapHub>& tap() const { return tap_; }

  /// Adds an observer of all calls, at the front and at each server.
  void add_observer(std::shared_ptr<Observer> observer) { observers_->add(std::move(observer)); }
  void remove_observer(const Observer& observer) { observers_->remove(observer); }

  const CallMetrics& call_metrics() const { return *call_metrics_; }
  /// All metrics in Prometheus text format.
  std::string metrics() const;

  /// Fails calls in flight and new calls with an error that says that the gateway is shutting down. Used when calls
  /// take too long after the listeners were closed; call stop() afterwards.
  void abort_calls();

  /// Stops the servers. Await it before destruction, after the listeners have closed.
  Task<void> stop();

 private:
  /// A configured server.
  struct RunningServer {
    ServerConfig config;
    Chain chain;
    std::shared_ptr<ManagedBackend> server;
    std::shared_ptr<Backend> backend;  ///< The server behind its chain.
  };

  // gateway_config.cpp
  Result<RunningServer> make_server(const ServerConfig& config, Duration server_request_timeout);
  std::shared_ptr<Backend> with_task_handling(const ServerConfig& config, std::shared_ptr<Backend> backend);
  Result<Chain> make_chain(const ChainConfig& config) const;
  Result<void> open_vault(const VaultConfig& vault);
  /// The seal of a changed key; nothing if it has not changed.
  Result<std::optional<TaskSeal>> changed_task_seal(const GatewayConfig& config) const;
  /// Switches to a configuration whose chain and new servers were made. Cannot fail.
  void commit(const GatewayConfig& config, const Chain& chain, std::map<std::string, RunningServer> made);
  /// Keeps the unchanged servers, adds the new ones and stops the others.
  void replace_servers(std::map<std::string, RunningServer> made);
  void request_client_headers();

  // gateway.cpp
  std::string prefix_of(const std::string& server) const { return config_.listen.base_path + "/s/" + server; }
  std::unique_ptr<VirtualServer> make_virtual_server(const std::string& server) const;
  void add_virtual_server(const std::string& name, const BackendSlot& slot);
  std::shared_ptr<http::Handler> make_http_handler(const std::string& server, transport::SessionFactory& factory,
                                                   std::optional<std::size_t> max_sessions = {}) const;
  void add_route(const std::string& server, const std::shared_ptr<VirtualServer>& virtual_server);
  Task<void> retire(std::shared_ptr<http::Handler> handler, std::shared_ptr<VirtualServer> virtual_server,
                    std::shared_ptr<ManagedBackend> server);

  // gateway_metrics.cpp
  void serve_metrics(const std::string& path);
  void set_access_log(CallLogFormat how);
  void set_server_timing(bool wanted);

  EventLoop loop_;
  Registry registry_;
  std::shared_ptr<ObserverList> observers_ = std::make_shared<ObserverList>();
  std::shared_ptr<CallMetrics> call_metrics_ = std::make_shared<CallMetrics>();
  std::shared_ptr<Observer> access_log_;
  std::shared_ptr<Tracer> tracer_;
  std::shared_ptr<ServerTimingObserver> timing_;
  std::map<std::string, std::shared_ptr<StartCounters>> start_counters_;  // By server; kept after its removal.
  TaskOwnerRegistry task_owners_;
  std::map<std::string, std::shared_ptr<OfferedTasks>> offered_tasks_;  // By server; kept across reloads.
  // Of all virtual servers; a reload replaces the values.
  std::shared_ptr<auth::ScopePolicy> task_scopes_ = std::make_shared<auth::ScopePolicy>();
  std::shared_ptr<TaskSeal> task_seal_ = std::make_shared<TaskSeal>(TaskSeal::random());
  std::shared_ptr<TapHub> tap_;
  std::shared_ptr<CredentialServices> credentials_;
  TaskScope scope_;
  std::unique_ptr<AsyncSemaphore> start_permits_;
  GatewayConfig config_;
  bool applied_ = false;
  bool stopping_ = false;
  std::shared_ptr<bool> shutting_down_ = std::make_shared<bool>(false);  // Shared with the upstreams, for their errors.
  Chain chain_;                                                          // In front of all servers.
  std::string metrics_path_;
  std::map<std::string, RunningServer> servers_;
  std::shared_ptr<VirtualServer> aggregate_;
  std::map<std::string, std::shared_ptr<VirtualServer>> virtual_servers_;
  std::string via_;           // Our `Via` entry, and the gateways that started this process.
  std::string child_marker_;  // Lets a child process detect that it would start itself.
  std::vector<std::string> wanted_headers_;
  std::shared_ptr<PathRouter> router_;
  std::unique_ptr<VirtualServersByVia> servers_by_via_;
};

}  // namespace fairlead::gateway
