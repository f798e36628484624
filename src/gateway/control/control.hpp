#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/server.hpp>
#include <fairlead/session/host.hpp>
#include <fairlead/transport/socket.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gateway/control/control_report.hpp"
#include "gateway/control/tap.hpp"

namespace fairlead::gateway {

/// What a control server tells of.
struct ControlView {
  std::function<std::vector<ServerReport>()> servers;
  std::shared_ptr<Tap> tap;
  std::vector<std::string> listens = {};  ///< Where clients come in.
};

/// The operator's way to a gateway that runs: an MCP server like any other, with the tools `status` and `tap`. On the
/// gateway's loop.
class Control {
 public:
  Control(Loop loop, ControlView view);
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  /// Listens at the path, or where everybody looks for it if that is empty.
  Result<void> listen(const std::string& path);
  const std::string& path() const { return path_; }

  /// Serves whoever comes, until it is cancelled; each in a task of its own.
  Task<void> serve(TaskScope& tasks);
  /// After the end of `serve`: nobody finds it any more.
  void close();

  session::Service& service() { return server_; }

 private:
  Task<void> serve_one(std::shared_ptr<transport::Transport> transport);
  GatewayReport report() const;
  Task<Result<TapSummary>> tap(server::Context& context, std::vector<std::string> filters, std::uint64_t count,
                               Duration time);

  Loop loop_;
  ControlView view_;
  TimePoint started_;
  server::Server server_;
  session::SessionHost host_;
  std::unique_ptr<transport::SocketListener> listener_;
  std::string path_;
};

}  // namespace fairlead::gateway
