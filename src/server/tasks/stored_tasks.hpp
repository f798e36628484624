#pragma once

#include <atomic>
#include <condition_variable>
#include <fairlead/base/clock.hpp>
#include <fairlead/server/task_store.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace fairlead::session {
struct Reply;
}

namespace fairlead::server {

/// Where a server keeps its tasks, and the operations on them. Thread-safe after the settings are made.
struct StoredTasks {
  std::shared_ptr<TaskStore> store = memory_task_store();
  TaskOptions options = {};
  std::atomic<bool> offered =
      false;  ///< The extension is declared. Stays set when the last tool with tasks is removed.

  /// Stores a new task, and removes expired ones now and then.
  Task<Result<void>> create(TaskRecord record);
  /// Applies `edit` to the task until no other change comes between. `edit` returns false to leave the task unchanged.
  /// Fails if the task is gone.
  Task<Result<void>> update(std::string id, std::function<bool(TaskRecord&)> edit);
  /// Counts a task that runs in this process.
  class Running {
   public:
    explicit Running(StoredTasks& tasks) : tasks_(tasks) { tasks_.count(1); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() { tasks_.count(-1); }

   private:
    StoredTasks& tasks_;
  };
  /// Blocks until no task runs in this process, at most `limit`.
  void wait_until_idle(Duration limit);

  /// True once, for the caller that resumes the tasks of an earlier process.
  bool take_resumption() { return !resumed_.exchange(true); }

 private:
  void count(int change);

  std::atomic<std::int64_t> next_sweep_ = 0;
  std::atomic<bool> resumed_ = false;
  std::mutex running_mutex_;
  std::condition_variable idle_;
  int running_ = 0;
};

/// A new id with 128 random bits.
std::string make_task_id();

/// The task as tasks/get shows it.
protocol::ExtensionTask shown_task(const TaskRecord& record, TaskTime now);
/// The reply that gives the task to the client: without questions and result.
session::Reply task_handle(const TaskRecord& record, TaskTime now);

/// True for a task of the handshake era.
bool is_legacy(const TaskRecord& record);
/// The task as the handshake era shows it.
protocol::LegacyTask legacy_task(const TaskRecord& record, TaskTime now);

/// Shortens a text to at most `bytes`, between two characters.
std::string shortened(std::string text, std::size_t bytes);

}  // namespace fairlead::server
