#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <fairlead/base/task.hpp>
#include <functional>
#include <memory>
#include <string_view>

namespace fairlead {

class LogSink;

/// The owner of running coroutines: it can cancel them, and it waits for them. Nothing else starts a coroutine.
///
/// Belongs to one executor and is used only there. A task that throws is logged as an error and otherwise ended like
/// any other. Destroying a scope whose tasks can still run aborts the process, because they would outlive what they
/// refer to: `join` first. Once their loop is stopped they cannot run again, and go with the loop.
class TaskScope {
  struct Running;

 public:
  /// `log` outlives the scope; `name` says in the log whose tasks these are.
  TaskScope(boost::asio::any_io_executor executor, LogSink& log, std::string_view name);
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;
  ~TaskScope();

  /// One task, to be cancelled without the others. May outlive it; used on the scope's loop.
  class Handle {
   public:
    Handle() = default;
    explicit operator bool() const { return started_; }
    void cancel();

   private:
    friend class TaskScope;
    std::weak_ptr<Running> task_;
    bool started_ = false;
  };

  /// Starts a task; on its own loop it runs up to its first suspension at once. False, and the task never starts,
  /// once the scope is cancelled.
  Handle spawn(Task<void> task);

  /// Asks every task to end: what it awaits ends with `operation_aborted`, and so does what it awaits next.
  /// Cancelling twice is harmless.
  void cancel();
  bool cancelled() const;

  /// Waits until no task runs. A coroutine that is cancelled while it joins cancels the scope and goes on waiting.
  /// One that was cancelled before cannot await anything any more, this included: `with_scope` deals with that.
  Task<void> join();

  /// How many tasks still run.
  std::size_t count() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Runs `body` with a scope of its own and returns when the body and all it spawned have ended. A body that throws, or
/// a caller that is cancelled, cancels the scope; the exception follows once everything has ended.
Task<void> with_scope(LogSink& log, std::string_view name, std::function<Task<void>(TaskScope&)> body);

}  // namespace fairlead
