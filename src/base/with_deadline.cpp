#include <fairlead/base/with_deadline.hpp>

#include "base/exceptions.hpp"
#include "base/nested_task.hpp"

namespace fairlead::detail {

namespace {

// Ends one operation early.
struct DeadlineGuard {
  DeadlineGuard(TimerWheel& wheel, const Deadline& until, NestedTask& task)
      : deadline(until), clock(wheel.clock()), timer(wheel, [this] { expire(); }), operation(task) {}

  void expire() {
    if (deadline.passed(clock)) return end(DeadlineOutcome::timed_out);
    timer.arm(deadline);
  }

  void end(DeadlineOutcome why) {
    if (outcome != DeadlineOutcome::completed) return;
    outcome = why;
    operation.request_stop();
  }

  const Deadline& deadline;
  const Clock& clock;
  Timer timer;
  NestedTask& operation;
  DeadlineOutcome outcome = DeadlineOutcome::completed;
};

}  // namespace

Task<DeadlineOutcome> run_until(TimerWheel& wheel, const Deadline& deadline, Task<void> work) {
  NestedTask operation(co_await this_task::context);
  DeadlineGuard guard(wheel, deadline, operation);
  guard.timer.arm(deadline);
  const auto on_stop = [&guard] { guard.end(DeadlineOutcome::cancelled); };
  std::exception_ptr failure;
  try {
    co_await operation.run(std::move(work), on_stop);
  } catch (...) {
    failure = std::current_exception();
  }
  const bool gave_up = guard.outcome != DeadlineOutcome::completed && is_cancelled(failure);
  if (failure && !gave_up) std::rethrow_exception(failure);
  co_return guard.outcome;
}

Error outcome_error(DeadlineOutcome outcome) {
  if (outcome == DeadlineOutcome::timed_out)
    return {.kind = ErrorKind::timeout, .message = "no response before the deadline"};
  return {.kind = ErrorKind::cancelled, .message = "cancelled by the caller"};
}

}  // namespace fairlead::detail
