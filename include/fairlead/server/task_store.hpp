#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/protocol/model/tasks.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fairlead::server {

using TaskTime = std::chrono::system_clock::time_point;

/// A task as it is stored. Contains no token of the caller. Times are in milliseconds since 1970, durations in
/// milliseconds.
struct TaskRecord {
  std::string id;  ///< 128 random bits, in characters that are safe in a URL.
  std::string principal = {};
  std::string tool = {};
  json::Payload params = {};        ///< Of tools/call: name and arguments.
  json::Payload capabilities = {};  ///< Of the client, when it made the call.
  std::string revision = {};
  protocol::TaskStatus status = protocol::TaskStatus::working;
  std::string message = {};  ///< Status text for people.
  std::int64_t created = 0;
  std::int64_t updated = 0;
  std::int64_t ttl = 0;  ///< From `created`.
  std::int64_t keep = 0;
  std::int64_t poll = 0;
  bool fails_on_restart = false;
  bool cancel_requested = false;
  protocol::InputRequests questions = {};             ///< Not answered yet.
  std::map<std::string, json::Payload> answers = {};  ///< By the keys of questions, also answers that did not fit.
  std::map<std::string, json::Payload> once = {};     ///< Results of Context::once.
  std::vector<std::string> begun = {};                ///< Keys of Context::once whose functions have begun.
  std::optional<json::Payload> result = {};
  std::optional<json::Payload> error = {};
  std::uint64_t version = 0;  ///< Changed by the store.

  bool has_ended() const {
    return status != protocol::TaskStatus::working && status != protocol::TaskStatus::input_required;
  }
  /// A task that works does not expire.
  bool is_expired(TaskTime now) const;
  /// Stores the answers whose questions are open. False if there is none. Whether they fit is known to the handler.
  bool add_answers(const protocol::InputResponses& responses);
  /// Sets the time of the last change, and extends the lifetime to at least `keep` from now.
  void touch(TaskTime now);
};

struct TaskLimits {
  std::size_t per_caller = 100;  ///< Unfinished tasks of one principal.
  std::size_t total = 10'000;    ///< Stored tasks, also finished ones.
};

struct TaskOptions {
  TaskLimits limits = {};
  std::size_t max_result = std::size_t{16} * 1024 * 1024;           ///< Bytes. A task with a larger result fails.
  std::function<TaskTime()> now = &std::chrono::system_clock::now;  ///< For tests.
};

/// Ends a subscription when it is destroyed.
using TaskSubscription = std::shared_ptr<void>;

/// Keeps tasks. All operations are atomic for one task and may be called on any event loop. Knows nothing about MCP
/// beyond the record.
class TaskStore {
 public:
  virtual ~TaskStore() = default;

  /// Every reader sees the task when this returns. Fails with `refused` if a limit is reached.
  virtual Task<Result<void>> create(TaskRecord record, TaskLimits limits) = 0;
  virtual Task<Result<std::optional<TaskRecord>>> get(std::string id) = 0;
  /// The tasks of a principal, in any order.
  virtual Task<Result<std::vector<TaskRecord>>> list(std::string principal) = 0;
  /// Replaces the task with the same id if its version is `next.version`. False if it was changed meanwhile or is gone.
  virtual Task<Result<bool>> replace(TaskRecord next) = 0;
  /// Removes expired tasks.
  virtual Task<void> sweep(TaskTime now) = 0;

  /// Returns the unfinished tasks of an earlier process, once.
  virtual Task<Result<std::vector<std::string>>> claim() = 0;
  /// The process stops to run an unfinished task. A store that does not survive the process marks it as failed.
  virtual void release(const std::string& id) noexcept = 0;

  /// Calls `on_change` after each change of the task, on the thread that made it. `on_change` must not block.
  virtual TaskSubscription watch(const std::string& id, std::function<void()> on_change) = 0;
};

/// Tasks end with the process.
std::shared_ptr<TaskStore> memory_task_store();

}  // namespace fairlead::server
