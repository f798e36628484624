#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/http/listener.hpp>
#include <fairlead/transport/session_factory.hpp>
#include <fairlead/transport/socket.hpp>
#include <functional>
#include <memory>
#include <string>

#include "base/live_set.hpp"
#include "gateway/app/listen_oauth.hpp"
#include "gateway/gateway.hpp"

namespace fairlead::gateway {

/// Serves the clients of a gateway over HTTP, on a Unix socket, and on stdin and stdout. All on one event loop. The
/// gateway outlives it.
class ClientListeners {
 public:
  ClientListeners(EventLoop loop, Gateway& gateway);

  /// Opens the configured port and Unix socket.
  Result<void> open(const GatewayConfig& config);
  /// Applies another `listen.oauth` to the open port. Does nothing if the port was opened without it.
  Result<void> reload_oauth(const GatewayConfig& config);

  /// The check of `listen.oauth`; null without it.
  std::shared_ptr<const http::AccessCheck> oauth_check() const { return oauth_; }

  /// The URL of the HTTP listener, without a path; empty if there is none.
  std::string url() const { return http_ ? http_->url() : std::string(); }
  bool has_socket() const { return socket_ != nullptr; }

  /// Serves one client on stdin and stdout. Calls `on_end` when its session has ended.
  void serve_stdio(std::function<void()> on_end);
  /// Accepts clients on the Unix socket until `close` is called.
  Task<void> accept_all();

  /// Stops accepting, waits for active requests, and closes the connections left after `timeout`.
  Task<void> close(Duration timeout);

 private:
  Task<void> serve_client(std::shared_ptr<transport::Transport> transport, std::string name,
                          std::function<void()> on_end);

  EventLoop loop_;
  Gateway& gateway_;
  TaskScope clients_;  // Clients on stdio and the Unix socket.
  LiveSet<transport::ServerSession> sessions_;
  std::shared_ptr<ReplaceableCheck> oauth_;  // Null without OAuth.
  std::unique_ptr<http::Listener> http_;
  std::unique_ptr<transport::SocketListener> socket_;
};

}  // namespace fairlead::gateway
