#pragma once

#include <cstddef>
#include <exception>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace fairlead {
namespace detail {

/// A function on its way through the pool, and later what came of it.
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

/// Threads for functions that block, so that no loop has to wait for them. Threads start when there is work for them.
///
/// Stop it, or destroy it, before the loops that wait for its answers.
class BlockingPool {
 public:
  /// At most `threads` functions at once, and at most `queue` that wait for a thread.
  BlockingPool(std::size_t threads, std::size_t queue);
  BlockingPool(const BlockingPool&) = delete;
  BlockingPool& operator=(const BlockingPool&) = delete;
  ~BlockingPool();

  /// Runs `function` on a thread of the pool and resumes the caller where it was with its result; what it throws is
  /// thrown here. `refused` if the queue is full, `closed` if the pool was stopped, `cancelled` if the caller was
  /// cancelled before the function began; one that has begun is waited for.
  template <class Function>
  auto run(Function function) -> Task<Result<typename detail::Unwrapped<std::invoke_result_t<Function&>>::Type>>;

  /// Lets the running functions end, refuses the waiting ones, and joins the threads. Stopping twice is harmless.
  void stop() noexcept;

  std::size_t waiting() const;

 private:
  struct State;
  struct Ticket;

  Task<Result<void>> submit(std::shared_ptr<detail::BlockingJob> job);

  std::shared_ptr<State> state_;
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
