#pragma once

#include <fairlead/base/non_copyable.hpp>
#include <fairlead/base/task.hpp>
#include <functional>

namespace fairlead {

/// Awaits a task that can be stopped without its caller:
///
///     NestedTask nested(co_await this_task::context);
///     co_await nested.run(work(), on_caller_stopped);
class NestedTask : NonCopyable {
 public:
  explicit NestedTask(TaskContext& caller) : caller_(caller), context_(caller) {}

  /// Also before run(): the task then fails at its first wait.
  void request_stop() { context_.request_stop(); }

  /// `on_caller_stopped` decides what a stop of the caller means to the task; usually it calls request_stop().
  auto run(Task<void> task, std::function<void()> on_caller_stopped) {
    return Run(*this, std::move(task), std::move(on_caller_stopped));
  }

 private:
  struct Context final : TaskContext {
    explicit Context(TaskContext& caller) : TaskContext(caller.executor(), caller.root()) {}
  };

  class Run final : public StopHook {
   public:
    Run(NestedTask& nested, Task<void> task, std::function<void()> on_stop)
        : nested_(nested), task_(std::move(task)), on_stop_(std::move(on_stop)) {}

    bool await_ready() const { return task_.is_ready(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) {
      nested_.caller_.begin_wait(*this);
      return task_.begin(nested_.context_, caller);
    }
    void await_resume() {
      nested_.caller_.end_wait();
      task_.take();
    }
    void stop() override { on_stop_(); }

   private:
    NestedTask& nested_;
    Task<void> task_;
    std::function<void()> on_stop_;
  };

  TaskContext& caller_;
  Context context_;
};

}  // namespace fairlead
