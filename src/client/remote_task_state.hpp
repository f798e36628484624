#pragma once

#include <fairlead/client/remote_task.hpp>
#include <set>

#include "client/connection_state.hpp"

namespace fairlead::client {

/// A task of the server, as one client sees it.
struct RemoteTaskState {
  std::shared_ptr<ConnectionState> connection;
  std::string id = {};  ///< Empty if the call did not become a task.
  std::string tool = {};
  std::optional<std::int64_t> poll_interval = {};  ///< In milliseconds, as the server suggested.
  std::set<std::string> answered = {};       ///< Keys of questions: each is answered once, also by parallel polls.
  std::optional<json::Payload> result = {};  ///< Of tools/call.
};

/// The params of tools/call that ask for a task (2025-11-25).
json::Payload asking_for_task(const json::Payload& params);

/// The handle in a reply with the result type `task`, or in a result of the handshake era with the member `task`.
Result<std::shared_ptr<RemoteTaskState>> remote_task_of(std::shared_ptr<ConnectionState> connection, std::string tool,
                                                        const json::Payload& handle);

/// Polls until the task has ended and returns the result of the call. Ends with `timeout` if `call_options` has
/// timeouts that pass.
Task<Result<json::Payload>> poll_task(std::shared_ptr<RemoteTaskState> task, CallOptions call_options);

/// As poll_task, for a caller that waits for the call: if it stops waiting, the task is cancelled.
Task<Result<json::Payload>> finish_task(std::shared_ptr<RemoteTaskState> task, CallOptions call_options);

}  // namespace fairlead::client
