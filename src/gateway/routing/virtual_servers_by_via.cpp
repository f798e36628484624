#include "gateway/routing/virtual_servers_by_via.hpp"

#include <algorithm>

namespace fairlead::gateway {
namespace {

Task<void> close_virtual_server(std::shared_ptr<http::Handler> handler, std::shared_ptr<VirtualServer> server) {
  if (handler) co_await handler->close();
  co_await server->stop();
}

}  // namespace

VirtualServersByVia::VirtualServersByVia(TaskScope& tasks, const Clock& clock, std::string own_via,
                                         MakeVirtualServer make_virtual_server, MakeHandler make_handler)
    : tasks_(tasks),
      clock_(clock),
      own_via_(std::move(own_via)),
      make_virtual_server_(std::move(make_virtual_server)),
      make_handler_(std::move(make_handler)) {}

BackendSlot VirtualServersByVia::with_via_header(BackendSlot slot, ViaRoute& route) const {
  if (!slot.backend->accepts_headers()) return slot;
  auto& wrapped = route.backends[slot.backend->name()];
  if (!wrapped || wrapped->target() != slot.backend)
    wrapped = std::make_shared<BackendWithHeaders>(slot.backend, route.headers);
  slot.backend = wrapped;
  return slot;
}

void VirtualServersByVia::configure(const std::string& name, VirtualServer& server, ViaRoute& route) const {
  std::vector<BackendSlot> slots;
  for (const auto& slot : slots_) {
    if (name.empty() || slot.backend->name() == name) slots.push_back(with_via_header(slot, route));
  }
  server.set_servers(std::move(slots));
  server.set_chain(chain_);
}

void VirtualServersByVia::configure(ViaRoute& route) {
  for (auto routed = route.servers.begin(); routed != route.servers.end();) {
    const auto is_there = [&](const BackendSlot& slot) { return slot.backend->name() == routed->first; };
    if (routed->first.empty() || std::ranges::any_of(slots_, is_there)) {
      configure(routed->first, *routed->second.server, route);
      ++routed;
      continue;
    }
    tasks_.spawn(close_virtual_server(std::move(routed->second.handler), std::move(routed->second.server)));
    routed = route.servers.erase(routed);
  }
  const auto is_gone = [&](const auto& wrapped) {
    return std::ranges::none_of(slots_,
                                [&](const BackendSlot& slot) { return slot.backend == wrapped.second->target(); });
  };
  std::erase_if(route.backends, is_gone);
}

void VirtualServersByVia::configure(std::vector<BackendSlot> slots, const Chain& chain) {
  slots_ = std::move(slots);
  chain_ = chain;
  for (auto [via, route] : routes_.entries()) configure(route);
}

void VirtualServersByVia::want_headers(const std::vector<std::string>& names) {
  for (auto [via, route] : routes_.entries()) {
    for (auto& [server, routed] : route.servers) routed.server->want_headers(names);
  }
}

void VirtualServersByVia::retire(ViaRoute route) {
  for (auto& [server, routed] : route.servers) {
    tasks_.spawn(close_virtual_server(std::move(routed.handler), std::move(routed.server)));
  }
}

void VirtualServersByVia::retire_oldest_route(const std::string& principal) {
  for (const auto [key, route] : routes_.entries()) {
    if (key.first == principal) return retire(std::move(*routes_.take(key)));
  }
}

// Makes space for a new route: removes idle routes, then the oldest one of the principal at its limit, or of the
// principal with the most routes.
void VirtualServersByVia::evict(const std::string& principal) {
  const auto since = clock_.now() - idle_timeout;
  const auto is_empty = [](const auto& routed) { return routed.second.server->session_count() == 0; };
  routes_.erase_if([&](const Key&, ViaRoute& route) {
    const bool idle = route.last_used <= since && std::ranges::all_of(route.servers, is_empty);
    if (idle) retire(std::move(route));
    return idle;
  });
  std::map<std::string, std::size_t> counts;
  for (const auto [key, route] : routes_.entries()) ++counts[key.first];
  if (!principal.empty() && counts[principal] >= max_routes_per_principal) return retire_oldest_route(principal);
  const auto count = [](const auto& each) { return each.second; };
  if (routes_.size() >= max_routes) retire_oldest_route(std::ranges::max_element(counts, {}, count)->first);
}

VirtualServersByVia::ViaRoute& VirtualServersByVia::route_for(const Key& key) {
  auto* route = routes_.find(key);
  if (!route) {
    evict(key.first);
    std::vector<protocol::Header> via(1, {"Via", key.second + ", " + own_via_});
    route = routes_.put(key, ViaRoute{.headers = std::make_shared<const session::AddedHeaders>(std::move(via))});
  }
  route->last_used = clock_.now();
  return *route;
}

std::shared_ptr<http::Handler> VirtualServersByVia::handler_for(const std::string& server, const std::string& principal,
                                                                const std::string& via) {
  if (closed_) return nullptr;
  auto& route = route_for({principal, via});
  auto& routed = route.servers[server];
  if (!routed.server) {
    routed.server = make_virtual_server_(server);
    configure(server, *routed.server, route);
    routed.handler = handler_owning(routed.server, make_handler_(server, routed.server->session_factory()));
  }
  return routed.handler;
}

std::size_t VirtualServersByVia::session_count() const {
  std::size_t all = 0;
  for (const auto [via, route] : routes_.entries()) {
    for (const auto& [server, routed] : route.servers) all += routed.server->session_count();
  }
  return all;
}

Task<void> VirtualServersByVia::close() {
  closed_ = true;
  std::vector<std::shared_ptr<http::Handler>> handlers;
  for (auto [via, route] : routes_.entries()) {
    for (auto& [server, routed] : route.servers) {
      if (routed.handler) handlers.push_back(std::exchange(routed.handler, nullptr));
    }
  }
  for (const auto& handler : handlers) co_await handler->close();
}

Task<void> VirtualServersByVia::stop() {
  co_await close();
  routes_.erase_if([&](const Key&, ViaRoute& route) {
    retire(std::move(route));
    return true;
  });
}

}  // namespace fairlead::gateway
