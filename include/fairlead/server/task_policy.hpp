#pragma once

#include <chrono>
#include <cstdint>
#include <fairlead/base/clock.hpp>

namespace fairlead::server {

enum class TaskMode : std::uint8_t {
  forbidden,  ///< A call is never a task.
  optional,   ///< A call becomes a task after `TaskPolicy::after`, if the client supports tasks.
  required,   ///< A call is always a task; refused if the client does not support tasks.
};

/// What to do with an unfinished task of a durable store when the server starts again.
enum class TaskRestart : std::uint8_t {
  resume,  ///< Run the handler again from its start. It gets the stored answers and results of `once`.
  fail,    ///< End the task as failed.
};

/// Whether and when a call of a tool becomes a task (extension io.modelcontextprotocol/tasks).
struct TaskPolicy {
  /// For `after`: the call becomes a task only by Context::become_task.
  static constexpr Duration by_hand = Duration::max();

  TaskMode mode = TaskMode::forbidden;
  Duration after = std::chrono::milliseconds{500};           ///< How long a call stays a plain one. 0: a task at once.
  std::chrono::milliseconds ttl = std::chrono::hours{1};     ///< Lifetime from its creation; longer while it works.
  std::chrono::milliseconds keep = std::chrono::minutes{5};  ///< The result is kept at least so long.
  std::chrono::milliseconds poll = std::chrono::seconds{1};  ///< Interval that is suggested to clients.
  TaskRestart restart = TaskRestart::resume;
};

}  // namespace fairlead::server
