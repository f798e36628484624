#pragma once

#include <fairlead/base/non_copyable.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>

namespace fairlead {
namespace detail {

/// A function that was submitted to the pool, and its exception if it threw.
class BlockingJob {
 public:
  virtual ~BlockingJob() = default;
  virtual void run() = 0;

  std::exception_ptr failure;
};

template <class Function, class Value>
class BlockingCall final : public BlockingJob {
 public:
  explicit BlockingCall(Function function) : function_(std::move(function)) {}

  void run() override {
    if constexpr (std::is_void_v<std::invoke_result_t<Function&>>) {
      function_();
      result_.emplace();
    } else {
      result_.emplace(function_());
    }
  }
  Result<Value> take() {
    if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
    return std::move(*result_);
  }

 private:
  Function function_;
  std::optional<Result<Value>> result_;
};

template <class T>
struct Unwrapped {
  using Type = T;
};
template <class T>
struct Unwrapped<Result<T>> {
  using Type = T;
};

}  // namespace detail

/// Runs functions that block on threads of their own, so that no event loop blocks. Starts threads on demand.
///
/// Stop or destroy the pool before the event loops whose coroutines await its results.
class BlockingPool : NonCopyable {
 public:
  /// Runs at most `threads` functions at a time; at most `queue` more wait for a thread.
  BlockingPool(std::size_t threads, std::size_t queue);
  ~BlockingPool();

  /// Runs `function` on a pool thread and resumes the caller on its own executor with the result or the exception.
  /// Returns `refused` if the queue is full, `closed` if the pool was stopped, and `cancelled` if the caller was
  /// cancelled before the function started; a function that has started is waited for.
  template <class Function>
  auto run(Function function) -> Task<Result<typename detail::Unwrapped<std::invoke_result_t<Function&>>::Type>>;

  /// Waits for the running functions, fails the queued ones with `closed`, and joins the threads. Idempotent.
  void stop() noexcept;

  std::size_t waiting() const;

 private:
  struct PoolState;
  struct QueuedJob;

  Task<Result<void>> submit(std::shared_ptr<detail::BlockingJob> job);

  std::shared_ptr<PoolState> state_;
};

template <class Function>
auto BlockingPool::run(Function function)
    -> Task<Result<typename detail::Unwrapped<std::invoke_result_t<Function&>>::Type>> {
  using Value = typename detail::Unwrapped<std::invoke_result_t<Function&>>::Type;
  const auto job = std::make_shared<detail::BlockingCall<Function, Value>>(std::move(function));
  auto ran = co_await submit(job);
  if (!ran) co_return std::unexpected(std::move(ran.error()));
  co_return job->take();
}

}  // namespace fairlead
