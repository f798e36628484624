#pragma once

#include <fairlead/base/deadline.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/base/timer_wheel.hpp>

namespace fairlead {
namespace detail {

enum class DeadlineOutcome : std::uint8_t { completed, timed_out, cancelled };

/// Awaits `work` and cancels it when the deadline passes or the caller is cancelled. Reads `deadline` again when its
/// timer fires, so the owner may extend it meanwhile.
Task<DeadlineOutcome> run_until(TimerWheel& wheel, const Deadline& deadline, Task<void> work);

Error outcome_error(DeadlineOutcome outcome);

template <class T>
Task<void> store(Task<Result<T>> operation, std::optional<Result<T>>* result) {
  result->emplace(co_await std::move(operation));
}

template <class T>
Task<Result<T>> run_with_deadline(TimerWheel& wheel, const Deadline& deadline, Task<Result<T>> operation) {
  std::optional<Result<T>> result;
  const auto outcome = co_await run_until(wheel, deadline, store(std::move(operation), &result));
  // A result that arrived in spite of the cancellation is returned, so that it is not lost.
  if (result && (result->has_value() || outcome == DeadlineOutcome::completed)) co_return std::move(*result);
  co_return std::unexpected(outcome_error(outcome));
}

}  // namespace detail

/// Awaits `operation`. When the deadline passes, cancels it, waits for its end and returns `timeout`. If the caller is
/// cancelled, cancels the operation and returns `cancelled`. `wheel` must be the calling worker's.
template <class T>
Task<Result<T>> with_deadline(TimerWheel& wheel, Deadline deadline, Task<Result<T>> operation) {
  co_return co_await detail::run_with_deadline(wheel, deadline, std::move(operation));
}

/// As above with an idle timeout that may be extended while the operation runs. `deadline` must outlive the operation.
template <class T>
Task<Result<T>> with_deadline(TimerWheel& wheel, const IdleDeadline& deadline, Task<Result<T>> operation) {
  return detail::run_with_deadline(wheel, deadline.current(), std::move(operation));
}

}  // namespace fairlead
