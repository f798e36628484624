#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/gateway/chain.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/session/service_session_factory.hpp>

#include "gateway/aggregate/aggregator.hpp"
#include "gateway/control/tap_service.hpp"
#include "gateway/era/era_adapter.hpp"

namespace fairlead::gateway {

/// What clients reach under one path: sessions, era adapter, chain, and one or several servers. Servers and chain can
/// be replaced while clients are connected. Used on one event loop.
class VirtualServer : NonCopyable {
 public:
  /// `name` appears in the log. `observers` see every call of a client. Without a tap hub nothing can be tapped.
  VirtualServer(EventLoop loop, std::string name, AggregatorOptions options, const EraAdapterOptions& era = {},
                std::shared_ptr<const ObserverList> observers = {}, std::shared_ptr<TapHub> tap = {});

  void set_servers(std::vector<BackendSlot> slots);
  void set_chain(const Chain& chain);

  /// Sets the client headers that the chain can read (`RequestContext::request_headers`).
  void want_headers(std::vector<std::string> names) { sessions_.forward_headers(std::move(names)); }

  transport::SessionFactory& session_factory() { return sessions_; }
  /// The service that the sessions call.
  session::Service& service() { return tap_; }
  /// The chain behind the era adapter.
  session::Service& chain_service() { return era_.chain(); }
  Aggregator& aggregator() { return aggregator_; }
  std::size_t session_count() const { return sessions_.active_sessions(); }

  /// Await it before destruction. Connected clients get errors afterwards.
  Task<void> stop();

 private:
  std::string name_;
  TaskScope tasks_;
  // The way of a call, last service first. The backends are behind the aggregator.
  Aggregator aggregator_;  // Merges the backends; also answers `initialize`.
  EraAdapter era_;         // Adapts clients of all revisions. Calls the chain, which ends in the aggregator.
  TapService tap_;         // Debug log, tap, and observers: metrics, access log, traces.
  session::ServiceSessionFactory sessions_;
};

/// Returns a handler that also owns the virtual server: streams, WebSockets and requests may outlast a reload that
/// removes the virtual server.
std::shared_ptr<http::Handler> handler_owning(std::shared_ptr<VirtualServer> server,
                                              std::shared_ptr<http::Handler> handler);

}  // namespace fairlead::gateway
