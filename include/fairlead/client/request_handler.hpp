#pragma once

#include <fairlead/base/blocking_pool.hpp>
#include <functional>

namespace fairlead::client {

/// Handles a request of the server: a coroutine, which runs on the event loop, or a plain function, which runs on a
/// thread pool and may block. Returns `Answer` or `Result<Answer>`.
template <class Params, class Answer>
class RequestHandler {
 public:
  RequestHandler() = default;

  template <class F>
    requires std::invocable<F&, Params> && (!std::same_as<std::remove_cvref_t<F>, RequestHandler>)
  RequestHandler(F function) {
    using HandlerReturn = std::invoke_result_t<F&, Params>;
    if constexpr (std::same_as<HandlerReturn, Task<Result<Answer>>>) {
      call_ = [function](BlockingPool&, Params params) mutable { return function(std::move(params)); };
    } else if constexpr (std::same_as<HandlerReturn, Task<Answer>>) {
      call_ = [function](BlockingPool&, Params params) mutable { return as_result(function(std::move(params))); };
    } else {
      call_ = [function](BlockingPool& pool, Params params) {
        return pool.run(
            [function, params = std::move(params)]() mutable -> Result<Answer> { return function(std::move(params)); });
      };
    }
  }

  explicit operator bool() const { return static_cast<bool>(call_); }

  Task<Result<Answer>> operator()(BlockingPool& pool, Params params) const { return call_(pool, std::move(params)); }

 private:
  static Task<Result<Answer>> as_result(Task<Answer> task) { co_return co_await std::move(task); }

  std::function<Task<Result<Answer>>(BlockingPool&, Params)> call_;
};

}  // namespace fairlead::client
