#pragma once

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
  struct ScopeState;
  class RunningTask;
  template <class T, class Completion>
  class CompletedTask;

 public:
  /// `log` must outlive the scope; `name` is the component in log lines.
  TaskScope(const boost::asio::any_io_executor& executor, LogSink& log, std::string_view name);
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
  /// The same, and calls `done(TaskOutcome<T>&&)` at the end of the task. The task counts as running meanwhile.
  template <class T, class Completion>
  Handle spawn(Task<T>&& task, Completion done) {
    if (cancelled()) return {};
    return begin(detail::make_pooled<CompletedTask<T, Completion>>(state_, std::move(task), std::move(done)));
  }

  /// Cancels every task: its current and all later waits fail with `operation_aborted`. Idempotent.
  void cancel();
  bool cancelled() const;

  /// Waits until all tasks have ended. If the caller is cancelled meanwhile, cancels the scope and continues to wait.
  /// A caller that was cancelled before cannot await anything, including join(): use with_scope() there.
  Task<void> join();

  /// Number of running tasks.
  std::size_t count() const;
  const boost::asio::any_io_executor& executor() const;

 private:
  /// An entry of a ring.
  struct ListEntry {
    ListEntry* previous = this;
    ListEntry* next = this;
  };

  Handle begin(std::shared_ptr<RunningTask> task);

  std::shared_ptr<ScopeState> state_;
};

// Owns itself while it runs. Before that, the function posted to start it does.
class TaskScope::RunningTask : public RootTask, public ListEntry, public std::enable_shared_from_this<RunningTask> {
 public:
  virtual ~RunningTask();

 protected:
  explicit RunningTask(std::shared_ptr<ScopeState> scope);

 private:
  friend class TaskScope;

  /// Null if the task is ready.
  virtual std::coroutine_handle<> begin() = 0;
  virtual void end() = 0;
  virtual void destroy_task() noexcept = 0;

  void start(std::shared_ptr<RunningTask> owner);
  void cancel();
  void complete() override;
  void abandon() noexcept override;

  std::shared_ptr<ScopeState> state_;
  std::shared_ptr<RunningTask> self_;
  bool cancelled_ = false;
  bool starting_ = true;
};

template <class T, class Completion>
class TaskScope::CompletedTask final : public RunningTask {
 public:
  CompletedTask(std::shared_ptr<ScopeState> scope, Task<T>&& task, Completion&& done)
      : RunningTask(std::move(scope)), done_(std::move(done)), task_(std::move(task)) {}

 private:
  std::coroutine_handle<> begin() override { return task_.is_ready() ? nullptr : task_.begin(*this, nullptr); }
  void end() override { done_(task_.take_outcome()); }
  void destroy_task() noexcept override { const auto destroyed = std::move(task_); }

  Completion done_;
  Task<T> task_;  // Destroyed first, because it may use what `done_` owns.
};

/// Runs `body` with a new scope and returns when `body` and all tasks it spawned have ended. An exception in `body` or
/// a cancelled caller cancels the scope; the exception is rethrown after all tasks have ended.
Task<void> with_scope(LogSink& log, std::string_view name, std::function<Task<void>(TaskScope&)> body);

}  // namespace fairlead
