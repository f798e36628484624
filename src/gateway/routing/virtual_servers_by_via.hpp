#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/lru_cache.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/gateway/chain.hpp>
#include <fairlead/http/handler.hpp>

#include "gateway/routing/virtual_server.hpp"
#include "gateway/upstream/backend_with_headers.hpp"

namespace fairlead::gateway {

/// Virtual servers for requests that came through other Fairlead gateways, one set per `Via` chain. They use separate
/// upstream connections that pass the `Via` chain on, so that a loop is detected and lists do not grow with every
/// round. Used on one event loop.
class VirtualServersByVia {
 public:
  /// `Via` chains at a time; the least recently used one is removed.
  static constexpr std::size_t max_routes = 64;
  /// `Via` chains of one principal; at the limit it loses its own oldest one.
  static constexpr std::size_t max_routes_per_principal = 16;
  /// Sessions, and HTTP+SSE streams, of each virtual server: `Via` must not multiply the limits of a client.
  static constexpr std::size_t max_sessions_per_server = 128;
  static constexpr Duration idle_timeout = std::chrono::minutes{10};

  /// `server` is empty for the aggregate of all servers.
  using MakeVirtualServer = std::function<std::unique_ptr<VirtualServer>(const std::string& server)>;
  using MakeHandler =
      std::function<std::shared_ptr<http::Handler>(const std::string& server, transport::SessionFactory& factory)>;

  /// `own_via` is the entry that this gateway adds to `Via`. `tasks` and `clock` must outlive it.
  VirtualServersByVia(TaskScope& tasks, const Clock& clock, std::string own_via, MakeVirtualServer make_virtual_server,
                      MakeHandler make_handler);

  /// Sets servers and chain of all virtual servers.
  void configure(std::vector<BackendSlot> slots, const Chain& chain);
  void want_headers(const std::vector<std::string>& names);

  /// Returns the handler for one server, or for the aggregate, and a `Via` chain. Null after close().
  std::shared_ptr<http::Handler> handler_for(const std::string& server, const std::string& principal,
                                             const std::string& via);

  /// Number of open sessions.
  std::size_t session_count() const;

  /// Closes all handlers.
  Task<void> close();
  /// Stops all virtual servers.
  Task<void> stop();

 private:
  struct RoutedServer {
    std::shared_ptr<VirtualServer> server;
    std::shared_ptr<http::Handler> handler;
  };
  /// One `Via` chain of one principal.
  struct ViaRoute {
    std::shared_ptr<const session::AddedHeaders> headers;  ///< The `Via` header of upstream requests.
    std::map<std::string, std::shared_ptr<BackendWithHeaders>> backends = {};
    std::map<std::string, RoutedServer> servers = {};
    TimePoint last_used = {};
  };

  /// Principal and `Via` chain.
  using Key = std::pair<std::string, std::string>;

  ViaRoute& route_for(const Key& key);
  BackendSlot with_via_header(BackendSlot slot, ViaRoute& route) const;
  void configure(const std::string& name, VirtualServer& server, ViaRoute& route) const;
  void configure(ViaRoute& route);
  void evict(const std::string& principal);
  void retire_oldest_route(const std::string& principal);
  void retire(ViaRoute route);

  TaskScope& tasks_;
  const Clock& clock_;
  std::string own_via_;
  MakeVirtualServer make_virtual_server_;
  MakeHandler make_handler_;
  std::vector<BackendSlot> slots_;
  Chain chain_;
  LruCache<Key, ViaRoute> routes_;
  bool closed_ = false;
};

}  // namespace fairlead::gateway
