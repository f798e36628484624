#pragma once

#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/protocol/model/tasks.hpp>
#include <fairlead/protocol/model/tools.hpp>
#include <memory>
#include <string>
#include <utility>

namespace fairlead::client {

struct RemoteTaskState;

/// `Error::cause` if the server does not know the task: it has expired, or another caller started it.
inline constexpr std::uint8_t cause_task_gone = 200;

/// A call that was started without waiting for its result. It is a task of the server, unless the server returned the
/// result at once. Copies refer to the same call. Use it on the event loop of its connection.
class RemoteTask {
 public:
  explicit RemoteTask(std::shared_ptr<RemoteTaskState> state) : state_(std::move(state)) {}

  const std::string& tool() const;
  /// True if the result is known.
  bool done() const;
  /// Asks the server for the state of the task.
  Task<Result<protocol::ExtensionTask>> status();
  /// Polls until the task has ended, and answers its questions with the handlers of the client. Returns `timeout` after
  /// `limit`; the task goes on.
  Task<Result<protocol::CallToolResult>> wait(Duration limit = Duration::max());
  /// Asks the server to cancel the task, which may still complete.
  Task<Result<void>> cancel();
  /// A text for Connection::resume, also in another process; empty if the call did not become a task. Contains no
  /// secret, but the id of the task.
  std::string reference() const;

 private:
  std::shared_ptr<RemoteTaskState> state_;
};

}  // namespace fairlead::client
