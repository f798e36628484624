#pragma once

#include <fairlead/base/task_scope.hpp>
#include <map>

#include "gateway/model/forwarding_service.hpp"
#include "server/tasks/stored_tasks.hpp"

namespace fairlead::gateway {

class OfferedCall;

/// The tasks that the gateway runs for one server, in memory. Outlives reloads.
struct OfferedTasks {
  server::StoredTasks stored = {};
  std::map<std::string, std::weak_ptr<OfferedCall>> running = {};  ///< By id.
};

/// A server without the tasks extension, as one that has it: a call that takes longer than `after` becomes a task of
/// the gateway, if the client supports tasks. The call goes on at the server, and requests of the server become
/// questions of the task. A tool that must run as a task of the handshake revisions does so.
class BackendWithOfferedTasks final : public ForwardingBackend {
 public:
  /// `scope` runs the calls and must outlive it.
  BackendWithOfferedTasks(EventLoop loop, TaskScope& scope, std::shared_ptr<Backend> backend,
                          std::shared_ptr<OfferedTasks> tasks, Duration after)
      : ForwardingBackend(std::move(backend)),
        loop_(std::move(loop)),
        scope_(scope),
        tasks_(std::move(tasks)),
        after_(after) {}

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<Result<client::ServerDescription>> describe() override;
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override;
  bool offers_extension(std::string_view id) const override;

 private:
  bool has_own_tasks() const;
  Task<Result<session::Reply>> offer(session::Call& call);
  Task<Result<session::Reply>> call_task(session::Call& call);

  EventLoop loop_;
  TaskScope& scope_;
  std::shared_ptr<OfferedTasks> tasks_;
  Duration after_;
};

}  // namespace fairlead::gateway
