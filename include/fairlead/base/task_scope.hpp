#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/base/task.hpp>
#include <functional>
#include <memory>
#include <string_view>

namespace fairlead {

class LogSink;

/// Owns running coroutines: starts, cancels and joins them. All coroutines are started by a scope.
///
/// Use it only on its executor. An exception of a task is logged as an error. Destroying a scope whose tasks can still
/// run aborts the process, because they could use objects that no longer exist: call join() first. When the event loop
/// was stopped, its tasks are destroyed together with the loop.
class TaskScope : NonCopyable {
  struct RunningTask;

 public:
  /// `log` must outlive the scope; `name` is the component in log lines.
  TaskScope(boost::asio::any_io_executor executor, LogSink& log, std::string_view name);
  ~TaskScope();

  /// Cancels a single task. May outlive the task; use it on the scope's executor.
  class Handle {
   public:
    Handle() = default;
    explicit operator bool() const { return started_; }
    void cancel();

   private:
    friend class TaskScope;
    std::weak_ptr<RunningTask> task_;
    bool started_ = false;
  };

  /// Starts a task. On the scope's event loop, runs it up to its first suspension before returning. Once the scope
  /// is cancelled, does not start it and returns a handle that is false.
  Handle spawn(Task<void> task);

  /// Cancels every task: its current and all later waits fail with `operation_aborted`. Idempotent.
  void cancel();
  bool cancelled() const;

  /// Waits until all tasks have ended. If the caller is cancelled meanwhile, cancels the scope and continues to wait.
  /// A caller that was cancelled before cannot await anything, including join(): use with_scope() there.
  Task<void> join();

  /// Number of running tasks.
  std::size_t count() const;

 private:
  struct ScopeState;
  std::shared_ptr<ScopeState> state_;
};

/// Runs `body` with a new scope and returns when `body` and all tasks it spawned have ended. An exception in `body` or
/// a cancelled caller cancels the scope; the exception is rethrown after all tasks have ended.
Task<void> with_scope(LogSink& log, std::string_view name, std::function<Task<void>(TaskScope&)> body);

}  // namespace fairlead
