#pragma once

#include <cstdint>
#include <fairlead/base/deadline.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <optional>
#include <utility>

namespace fairlead {
namespace detail {

enum class Ending : std::uint8_t { on_its_own, timed_out, cancelled };

/// Awaits `work` and cancels it when the deadline passes or the caller is cancelled. `deadline` is read again when it
/// seems to have passed, so it may be moved meanwhile.
Task<Ending> run_until(TimerWheel& wheel, const Deadline& deadline, Task<void> work);

Error ending_error(Ending ending);

template <class T>
Task<void> store(Task<Result<T>> operation, std::optional<Result<T>>* result) {
  result->emplace(co_await std::move(operation));
}

template <class T>
Task<Result<T>> limit(TimerWheel& wheel, const Deadline& deadline, Task<Result<T>> operation) {
  std::optional<Result<T>> result;
  const auto ending = co_await run_until(wheel, deadline, store(std::move(operation), &result));
  // A success that came in spite of the cancellation still counts: nothing is lost silently.
  if (result && (result->has_value() || ending == Ending::on_its_own)) co_return std::move(*result);
  co_return std::unexpected(ending_error(ending));
}

}  // namespace detail

/// Awaits `operation` until the deadline: then it is cancelled, and once it has ended the result is `timeout`.
/// If the caller is cancelled, so is the operation, and the result is `cancelled`. The wheel is the calling worker's.
template <class T>
Task<Result<T>> with_deadline(TimerWheel& wheel, Deadline deadline, Task<Result<T>> operation) {
  co_return co_await detail::limit(wheel, deadline, std::move(operation));
}

/// The same under a deadline that signs of life extend while the operation runs; `deadline` outlives the operation.
template <class T>
Task<Result<T>> with_deadline(TimerWheel& wheel, const IdleDeadline& deadline, Task<Result<T>> operation) {
  return detail::limit(wheel, deadline.current(), std::move(operation));
}

}  // namespace fairlead
