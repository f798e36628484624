#pragma once

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <expected>
#include <fairlead/base/task_context.hpp>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace fairlead {

template <class T>
class Task;

/// The result of a task, or its exception.
template <class T>
using TaskOutcome = std::expected<T, std::exception_ptr>;

namespace detail {

/// Memory for coroutines, from a pool of the calling thread. May be freed on another thread.
void* allocate_frame(std::size_t size);
void free_frame(void* frame, std::size_t size) noexcept;

/// Allocates from the same pool, for objects that live as long as a request.
template <class T>
struct FrameAllocator {
  using value_type = T;

  FrameAllocator() = default;
  template <class U>
  FrameAllocator(const FrameAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_frame(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { free_frame(memory, count * sizeof(T)); }
  bool operator==(const FrameAllocator&) const = default;
};

template <class T, class... Args>
std::shared_ptr<T> make_pooled(Args&&... args) {
  return std::allocate_shared<T>(FrameAllocator<T>(), std::forward<Args>(args)...);
}

[[noreturn]] void abort_empty_task();

struct Nothing {};
template <class T>
using TaskValue = std::conditional_t<std::is_void_v<T>, Nothing, T>;

template <class Query>
concept TaskQuery = requires(TaskContext& context) { Query::answer(context); };

template <class Query>
struct QueryAwaiter {
  TaskContext& context;

  bool await_ready() const noexcept { return true; }
  void await_suspend(std::coroutine_handle<>) const noexcept {}
  decltype(auto) await_resume() const { return Query::answer(context); }
};

template <class T>
class TaskAwaiter;

class TaskPromiseBase {
 public:
  static void* operator new(std::size_t size) { return allocate_frame(size); }
  static void operator delete(void* frame, std::size_t size) noexcept { free_frame(frame, size); }

  struct End {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
      const TaskPromiseBase& promise = ended.promise();
      if (promise.caller_) return promise.caller_;
      promise.context_->root().set_ended();
      return std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() const noexcept { return {}; }
  End final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { failure_ = std::current_exception(); }

  template <class T>
  TaskAwaiter<T> await_transform(Task<T>&& task) {
    context_->check();
    return TaskAwaiter<T>(task);
  }
  template <class T>
  TaskAwaiter<T> await_transform(Task<T>& task) = delete;  // Awaited once only: use std::move().
  template <TaskQuery Query>
  QueryAwaiter<Query> await_transform(const Query&) const {
    return {*context_};
  }
  template <class Awaitable>
  Awaitable&& await_transform(Awaitable&& awaitable) const {
    context_->check();
    return std::forward<Awaitable>(awaitable);
  }

  TaskContext& context() const { return *context_; }
  /// The coroutine runs in `context` and then continues with `caller`; without one, the root task has ended.
  void begin(TaskContext& context, std::coroutine_handle<> caller) {
    context_ = &context;
    caller_ = caller;
  }
  std::exception_ptr take_failure() { return std::exchange(failure_, nullptr); }

 private:
  TaskContext* context_ = nullptr;
  std::coroutine_handle<> caller_;
  std::exception_ptr failure_;
};

template <class T>
class TaskPromise final : public TaskPromiseBase {
 public:
  Task<T> get_return_object() noexcept;

  template <class U = T>
    requires std::convertible_to<U, T>
  void return_value(U&& value) {
    result->emplace(std::forward<U>(value));
  }

  std::optional<T>* result = nullptr;  ///< Where the caller expects it.
};

template <>
class TaskPromise<void> final : public TaskPromiseBase {
 public:
  Task<void> get_return_object() noexcept;

  void return_void() { result->emplace(); }

  std::optional<Nothing>* result = nullptr;
};

/// What Task<T> and Task<void> have in common: a coroutine that did not start, or its result.
template <class T>
class TaskState {
 public:
  using promise_type = TaskPromise<T>;
  using Frame = std::coroutine_handle<promise_type>;

  TaskState(TaskState&& other) noexcept
      : frame_(std::exchange(other.frame_, nullptr)), result_(std::move(other.result_)) {
    other.result_.reset();
  }
  TaskState& operator=(TaskState&& other) noexcept {
    std::swap(frame_, other.frame_);
    result_.swap(other.result_);
    return *this;
  }
  ~TaskState() {
    if (frame_) frame_.destroy();
  }

  /// For code that runs tasks. True if the result is there without a start.
  bool is_ready() const {
    if (frame_) return false;
    if (!result_) abort_empty_task();
    return true;
  }
  /// The coroutine to resume. Its result is stored in this object, which must stay in its place.
  std::coroutine_handle<> begin(TaskContext& context, std::coroutine_handle<> caller) {
    frame_.promise().result = &result_;
    frame_.promise().begin(context, caller);
    return frame_;
  }
  /// Returns the result after the end, or throws. GCC moves a result once only if it is not in an inner block.
  T take()
    requires(!std::is_void_v<T>)
  {
    rethrow_failure();
    T result = std::move(*result_);
    result_.reset();
    return result;
  }
  void take()
    requires(std::is_void_v<T>)
  {
    rethrow_failure();
    result_.reset();
  }
  /// The same without a throw. Called once.
  TaskOutcome<T> take_outcome() {
    if (auto failure = destroy_ended()) return std::unexpected(std::move(failure));
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return TaskOutcome<T>(std::in_place, std::move(*result_));
    }
  }

 protected:
  explicit TaskState(Frame frame) noexcept : frame_(frame) {}
  template <class... Args>
  explicit TaskState(std::in_place_t, Args&&... args) : result_(std::in_place, std::forward<Args>(args)...) {}

 private:
  std::exception_ptr destroy_ended() {
    if (!frame_) return nullptr;
    auto failure = frame_.promise().take_failure();
    std::exchange(frame_, nullptr).destroy();
    return failure;
  }
  void rethrow_failure() {
    if (auto failure = destroy_ended()) std::rethrow_exception(std::move(failure));
  }

  Frame frame_ = nullptr;
  std::optional<TaskValue<T>> result_;
};

template <class T>
class TaskAwaiter {
 public:
  explicit TaskAwaiter(Task<T>& task) : task_(task) {}

  bool await_ready() const { return task_.is_ready(); }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller) const {
    return task_.begin(caller.promise().context(), caller);
  }
  T await_resume() const { return task_.take(); }

 private:
  Task<T>& task_;
};

/// Awaited by a coroutine that handles the exceptions of `task`. A try block would need a variable for the result, and
/// an assignment.
template <class T>
struct OutcomeAwaiter {
  Task<T> task;

  bool await_ready() const { return task.is_ready(); }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller) {
    return task.begin(caller.promise().context(), caller);
  }
  TaskOutcome<T> await_resume() { return task.take_outcome(); }
};

}  // namespace detail

/// Return type of coroutines. A task starts when it is awaited, or by a `TaskScope` or start(). A value converts to a
/// task that is ready, without a coroutine: a function may `return reply;` instead of `co_return reply;`.
template <class T>
class [[nodiscard]] Task : public detail::TaskState<T> {
 public:
  template <class U = T>
    requires(std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, Task>)
  Task(U&& value) : detail::TaskState<T>(std::in_place, std::forward<U>(value)) {}
  Task(Task&&) noexcept = default;
  Task& operator=(Task&&) noexcept = default;

 private:
  friend detail::TaskPromise<T>;
  explicit Task(typename detail::TaskState<T>::Frame frame) noexcept : detail::TaskState<T>(frame) {}
};

template <>
class [[nodiscard]] Task<void> : public detail::TaskState<void> {
 public:
  /// A task that has nothing to do.
  Task() : TaskState(std::in_place) {}
  Task(Task&&) noexcept = default;
  Task& operator=(Task&&) noexcept = default;

 private:
  friend detail::TaskPromise<void>;
  explicit Task(Frame frame) noexcept : TaskState(frame) {}
};

namespace detail {

template <class T>
Task<T> TaskPromise<T>::get_return_object() noexcept {
  return Task<T>(std::coroutine_handle<TaskPromise>::from_promise(*this));
}
inline Task<void> TaskPromise<void>::get_return_object() noexcept {
  return Task<void>(std::coroutine_handle<TaskPromise>::from_promise(*this));
}

}  // namespace detail

}  // namespace fairlead
