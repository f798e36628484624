#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/server.hpp>
#include <fairlead/session/service_session_factory.hpp>
#include <fairlead/transport/socket.hpp>

#include "gateway/control/control_report.hpp"
#include "gateway/control/tap_hub.hpp"

namespace fairlead::gateway {

/// What a control server reports.
struct ControlSources {
  std::function<std::vector<ServerReport>()> servers;
  std::shared_ptr<TapHub> tap;
  std::vector<std::string> listens = {};  ///< Listen addresses.
};

/// MCP server for operators of a running gateway, with the tools `status` and `tap`. On the gateway's loop.
class ControlServer : NonCopyable {
 public:
  ControlServer(EventLoop loop, ControlSources view);

  /// Listens at `path`, or at the default path if it is empty.
  Result<void> listen(const std::string& path);
  const std::string& path() const { return path_; }

  /// Accepts connections until it is cancelled; each is served in its own task.
  Task<void> serve(TaskScope& tasks);
  /// Removes the socket. Call it after `serve` has ended.
  void close();

  session::Service& service() { return server_; }

 private:
  Task<void> serve_one(std::shared_ptr<transport::Transport> transport);
  GatewayReport report() const;
  Task<Result<TapSummary>> tap(server::Context& context, std::vector<std::string> filters, std::uint64_t count,
                               Duration time);

  EventLoop loop_;
  ControlSources sources_;
  TimePoint started_;
  server::Server server_;
  session::ServiceSessionFactory host_;
  std::unique_ptr<transport::SocketListener> listener_;
  std::string path_;
};

}  // namespace fairlead::gateway
