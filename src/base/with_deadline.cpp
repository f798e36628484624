#include <fairlead/base/with_deadline.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

#include "base/exceptions.hpp"

namespace fairlead::detail {
namespace asio = boost::asio;

namespace {

// The timer and the signal that may end one operation early.
struct DeadlineGuard {
  DeadlineGuard(TimerWheel& wheel, const Deadline& until)
      : deadline(until), clock(wheel.clock()), timer(wheel, [this] { expire(); }) {}

  void expire() {
    if (deadline.passed(clock)) return end(DeadlineOutcome::timed_out);
    timer.arm(deadline);
  }

  void end(DeadlineOutcome why) {
    if (outcome != DeadlineOutcome::completed) return;
    outcome = why;
    stop.emit(asio::cancellation_type::terminal);
  }

  const Deadline& deadline;
  const Clock& clock;
  Timer timer;
  DeadlineOutcome outcome = DeadlineOutcome::completed;
  asio::cancellation_signal stop;
};

}  // namespace

Task<DeadlineOutcome> run_until(TimerWheel& wheel, const Deadline& deadline, Task<void> work) {
  const auto executor = co_await asio::this_coro::executor;
  const auto caller = co_await asio::this_coro::cancellation_state;
  DeadlineGuard guard{wheel, deadline};
  guard.timer.arm(deadline);
  auto slot = caller.slot();
  if (slot.is_connected()) slot.assign([&guard](asio::cancellation_type) { guard.end(DeadlineOutcome::cancelled); });
  auto token = asio::bind_cancellation_slot(guard.stop.slot(), asio::as_tuple(asio::use_awaitable));
  const auto [failure] = co_await asio::co_spawn(executor, std::move(work), token);
  if (slot.is_connected()) slot.clear();
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
