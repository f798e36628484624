#pragma once

#include <coroutine>
#include <fairlead/base/non_copyable.hpp>
#include <utility>

namespace boost::asio {
class any_io_executor;
}

namespace fairlead {

class RootTask;

/// Base of an object that a task waits for. Stopping the task calls stop() once, which must not resume the task inline:
/// the resumed task could destroy the code that stops it.
class StopHook {
 public:
  virtual void stop() = 0;

 protected:
  ~StopHook() = default;
};

/// Shared by the coroutines that await each other: their executor, their stop request and their current wait. Used on
/// that executor only.
class TaskContext : NonCopyable {
 public:
  TaskContext(const boost::asio::any_io_executor& executor, RootTask& root) : executor_(&executor), root_(&root) {}

  const boost::asio::any_io_executor& executor() const { return *executor_; }
  RootTask& root() const { return *root_; }

  /// Ends the current wait; all later waits fail with `operation_aborted` unless a StopShield exists. Idempotent.
  void request_stop() {
    if (std::exchange(stop_requested_, true)) return;
    if (auto* hook = std::exchange(hook_, nullptr)) hook->stop();
  }
  bool stop_requested() const { return stop_requested_; }

  /// Throws `operation_aborted` if a wait must not begin.
  void check() const {
    if (stop_requested_ && shields_ == 0) throw_stopped();
  }

  /// `hook` is called if the task is stopped before end_wait().
  void begin_wait(StopHook& hook) { hook_ = &hook; }
  void end_wait() { hook_ = nullptr; }

 protected:
  ~TaskContext() = default;

 private:
  friend class StopShield;
  [[noreturn]] static void throw_stopped();

  const boost::asio::any_io_executor* executor_;
  RootTask* root_;
  StopHook* hook_ = nullptr;
  unsigned shields_ = 0;
  bool stop_requested_ = false;
};

/// The context of the outermost coroutine, and its owner while it runs. While it waits, a SuspendedTask owns it.
class RootTask : public TaskContext {
 public:
  explicit RootTask(const boost::asio::any_io_executor& executor) : TaskContext(executor, *this) {}

  /// Runs until the next wait, or calls complete() after the end.
  void run(std::coroutine_handle<> next) {
    bool ended = false;
    ended_ = &ended;
    next.resume();
    // A task that waits may be gone by now.
    if (ended) complete();
  }
  void set_ended() noexcept { *ended_ = true; }

  /// Destroys a task that waits.
  virtual void abandon() noexcept = 0;

 protected:
  ~RootTask() = default;

 private:
  virtual void complete() = 0;

  bool* ended_ = nullptr;
};

/// Owns a task that waits: resumes it once. Destroying it destroys the task.
class SuspendedTask {
 public:
  SuspendedTask() = default;
  template <class Promise>
  explicit SuspendedTask(std::coroutine_handle<Promise> waiting)
      : context_(&waiting.promise().context()), waiting_(waiting) {}
  SuspendedTask(SuspendedTask&& other) noexcept
      : context_(std::exchange(other.context_, nullptr)), waiting_(other.waiting_) {}
  SuspendedTask& operator=(SuspendedTask&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(waiting_, other.waiting_);
    return *this;
  }
  ~SuspendedTask() {
    if (context_ != nullptr) context_->root().abandon();
  }

  explicit operator bool() const { return context_ != nullptr; }
  const boost::asio::any_io_executor& executor() const { return context_->executor(); }

  /// Runs the task inline, on its executor. The task may destroy any object.
  void resume() && {
    auto& context = *std::exchange(context_, nullptr);
    context.end_wait();
    context.root().run(waiting_);
  }
  /// For a wait that ended before the task was suspended.
  void release() { context_ = nullptr; }

 private:
  TaskContext* context_ = nullptr;
  std::coroutine_handle<> waiting_;
};

/// Tells a task whether it was stopped. Valid while the task runs.
class StopToken {
 public:
  explicit StopToken(const TaskContext& context) : context_(&context) {}
  bool stop_requested() const { return context_->stop_requested(); }

 private:
  const TaskContext* context_;
};

/// While it exists, a stop request ends only the current wait; later ones begin as if there was none.
class [[nodiscard]] StopShield : NonCopyable {
 public:
  explicit StopShield(TaskContext& context) : context_(context) { ++context_.shields_; }
  ~StopShield() { --context_.shields_; }

 private:
  TaskContext& context_;
};

/// Awaited in a coroutine, these tell about it, without a wait: `co_await this_task::executor`.
namespace this_task {

struct ExecutorQuery {
  static const boost::asio::any_io_executor& answer(TaskContext& context) { return context.executor(); }
};
struct StopTokenQuery {
  static StopToken answer(TaskContext& context) { return StopToken(context); }
};
struct ShieldQuery {
  static StopShield answer(TaskContext& context) { return StopShield(context); }
};
struct ContextQuery {
  static TaskContext& answer(TaskContext& context) { return context; }
};

inline constexpr ExecutorQuery executor;
inline constexpr StopTokenQuery stop_token;
inline constexpr ShieldQuery shield;  ///< `const auto shield = co_await this_task::shield;`
inline constexpr ContextQuery context;

}  // namespace this_task
}  // namespace fairlead
