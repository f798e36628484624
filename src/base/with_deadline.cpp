#include <fairlead/base/with_deadline.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

#include "base/aborted.hpp"

namespace fairlead::detail {
namespace asio = boost::asio;

namespace {

// Everything that may end one guarded operation early.
struct Guarded {
  Guarded(TimerWheel& wheel, const Deadline& until)
      : deadline(until), clock(wheel.clock()), timer(wheel, [this] { expire(); }) {}

  void expire() {
    if (deadline.passed(clock)) return end(Ending::timed_out);
    timer.arm(deadline);
  }

  void end(Ending why) {
    if (ending != Ending::on_its_own) return;
    ending = why;
    stop.emit(asio::cancellation_type::terminal);
  }

  const Deadline& deadline;
  const Clock& clock;
  Timer timer;
  Ending ending = Ending::on_its_own;
  asio::cancellation_signal stop;
};

}  // namespace

Task<Ending> run_until(TimerWheel& wheel, const Deadline& deadline, Task<void> work) {
  const auto executor = co_await asio::this_coro::executor;
  const auto caller = co_await asio::this_coro::cancellation_state;
  Guarded guarded{wheel, deadline};
  guarded.timer.arm(deadline);
  auto slot = caller.slot();
  if (slot.is_connected()) slot.assign([&guarded](asio::cancellation_type) { guarded.end(Ending::cancelled); });
  auto token = asio::bind_cancellation_slot(guarded.stop.slot(), asio::as_tuple(asio::use_awaitable));
  const auto [failure] = co_await asio::co_spawn(executor, std::move(work), token);
  if (slot.is_connected()) slot.clear();
  const bool gave_up = guarded.ending != Ending::on_its_own && is_aborted(failure);
  if (failure && !gave_up) std::rethrow_exception(failure);
  co_return guarded.ending;
}

Error ending_error(Ending ending) {
  if (ending == Ending::timed_out) return {.kind = ErrorKind::timeout, .message = "no answer before the deadline"};
  return {.kind = ErrorKind::cancelled, .message = "cancelled by the caller"};
}

}  // namespace fairlead::detail
