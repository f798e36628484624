#pragma once

#include <fairlead/http/handler.hpp>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace fairlead::gateway {

/// Routes HTTP requests to handlers by path prefix. Handlers can be added and removed at any time. Used on one event
/// loop.
class PathRouter final : public http::Handler {
 public:
  /// Handlers for requests that came through other Fairlead gateways. `handler_for` returns null to use the normal
  /// handler.
  struct ViaRoutes {
    std::function<std::shared_ptr<http::Handler>(const std::string& prefix, const std::string& principal,
                                                 const std::string& via)>
        handler_for;
    std::function<Task<void>()> close;
  };

  /// Refuses requests whose `Via` header contains `instance_id`: they are in a loop.
  explicit PathRouter(std::string instance_id = {}) : instance_id_(std::move(instance_id)) {}

  void set_via(ViaRoutes via) { via_ = std::move(via); }

  /// `prefix` is like `/s/git`, or empty for all other paths.
  void add(std::string prefix, std::shared_ptr<http::Handler> handler);

  /// Stops routing to a handler and returns it; the caller closes it. Requests in flight continue.
  std::shared_ptr<http::Handler> remove(std::string_view prefix);

  /// Number of open GET streams and WebSockets.
  std::size_t streams() const { return streams_; }

  Task<http::Response> handle(http::Request& request) override;
  std::optional<std::size_t> preferred_worker(const http::Request& request) const override;
  Task<void> close() override;

 private:
  using Handlers = std::map<std::string, std::shared_ptr<http::Handler>, std::less<>>;
  Handlers::const_iterator find_prefix(std::string_view path) const;
  std::shared_ptr<http::Handler> find(const http::Request& request) const;
  bool is_loop(const std::vector<std::string>& gateways) const;

  std::string instance_id_;
  ViaRoutes via_;
  std::size_t streams_ = 0;
  Handlers handlers_;
};

/// Forwards to a shared handler, for a listener that owns its handler.
class SharedHandler final : public http::Handler {
 public:
  explicit SharedHandler(std::shared_ptr<http::Handler> target) : target_(std::move(target)) {}

  Task<http::Response> handle(http::Request& request) override { return target_->handle(request); }
  std::optional<std::size_t> preferred_worker(const http::Request& request) const override {
    return target_->preferred_worker(request);
  }
  Task<void> close() override { return target_->close(); }

 private:
  std::shared_ptr<http::Handler> target_;
};

}  // namespace fairlead::gateway
