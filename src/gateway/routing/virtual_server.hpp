#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/gateway/chain.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/session/service_session_factory.hpp>
#include <string>
#include <vector>

#include "gateway/aggregate/aggregator.hpp"
#include "gateway/aggregate/initialize_service.hpp"
#include "gateway/chain/debug_log_service.hpp"
#include "gateway/chain/swappable_service.hpp"
#include "gateway/control/tap_service.hpp"
#include "gateway/era/era_adapter.hpp"
#include "gateway/observe/observing_middleware.hpp"

namespace fairlead::gateway {

/// What clients reach under one path: sessions, era adapter, chain, and one or several servers. Servers and chain can
/// be replaced while clients are connected. Used on one event loop.
class VirtualServer {
 public:
  /// `name` appears in the log; `info` is sent to clients if there are several servers. `observers` see every call of a
  /// client. Without a tap hub nothing can be tapped.
  VirtualServer(EventLoop loop, std::string name, protocol::Implementation info, AggregatorOptions options,
                const EraAdapterOptions& era = {}, std::shared_ptr<const ObserverList> observers = {},
                std::shared_ptr<TapHub> tap = {});
  VirtualServer(const VirtualServer&) = delete;
  VirtualServer& operator=(const VirtualServer&) = delete;

  void set_servers(std::vector<BackendSlot> slots);
  void set_chain(const Chain& chain);

  /// Sets the client headers that the chain can read (`RequestContext::request_headers`).
  void want_headers(std::vector<std::string> names) { sessions_.forward_headers(std::move(names)); }

  transport::SessionFactory& session_factory() { return sessions_; }
  /// The service that the sessions call.
  session::Service& service() { return tap_; }
  /// The chain behind the era adapter.
  session::Service& chain_service() { return chain_; }
  Aggregator& aggregator() { return aggregator_; }
  std::size_t session_count() const { return sessions_.active_sessions(); }

  /// Await it before destruction. Connected clients get errors afterwards.
  Task<void> stop();

 private:
  Task<Result<client::ServerDescription>> describe(const session::Call& call);

  std::string name_;
  protocol::Implementation info_;
  TaskScope tasks_;
  std::shared_ptr<Backend> single_backend_ = {};  // Null if there are several servers.
  Aggregator aggregator_;
  InitializeService initialize_;
  SwappableService chain_;
  EraAdapter era_;
  DebugLogService debug_log_;
  std::shared_ptr<session::Service> observed_;
  TapService tap_;
  session::ServiceSessionFactory sessions_;
};

/// Returns a handler that also owns the virtual server: streams, WebSockets and requests may outlast a reload that
/// removes the virtual server.
std::shared_ptr<http::Handler> handler_owning(std::shared_ptr<VirtualServer> server,
                                              std::shared_ptr<http::Handler> handler);

}  // namespace fairlead::gateway
