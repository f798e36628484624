#pragma once

#include <fairlead/auth/scopes.hpp>

#include "gateway/model/forwarding_service.hpp"
#include "gateway/model/task_seal.hpp"

namespace fairlead::gateway {

struct TaskHandleOptions {
  std::string virtual_server = {};                       ///< Handles are valid at this virtual server only.
  std::shared_ptr<const TaskSeal> seal = {};             ///< By default one with a random key.
  std::shared_ptr<const auth::ScopePolicy> scopes = {};  ///< Scopes that tools need; null for none.
};

/// Gives clients sealed handles instead of the ids of tasks, and opens them again: the only place that knows handles.
///
/// A handle is valid for the principal that started the task, at the same virtual server. A request with another one
/// fails as if the task did not exist. Behind this service a request about a task carries the id, and the tool as
/// `name`, so that rules for the tool apply to it.
class TaskHandles final : public ForwardingService {
 public:
  TaskHandles(std::shared_ptr<session::Service> chain, TaskHandleOptions options)
      : ForwardingService(std::move(chain)), options_(std::move(options)) {}

  /// True for a request about a task, and for a client that accepts tasks. Other calls need not pass this service.
  static bool concerns(const session::Call& call);

  Task<Result<session::Reply>> call(session::Call& call) override;

 private:
  Task<Result<session::Reply>> start(session::Call& call);
  Task<Result<session::Reply>> open_and_call(session::Call& call);
  Task<Result<session::Reply>> call_opened(session::Call& call, std::string handle, TaskReference task);

  Result<void> check_scopes(const session::Call& call, const std::string& tool) const;

  TaskHandleOptions options_;
};

}  // namespace fairlead::gateway
