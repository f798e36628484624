#include <fairlead/base/hop.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <memory>
#include <utility>

namespace fairlead {
namespace asio = boost::asio;

namespace {

/// Shared by both sides, because either may be gone when the other's message arrives.
struct Trip {
  // Touched on the caller's worker only.
  asio::steady_timer* arrival = nullptr;
  bool ended = false;
  std::exception_ptr failure;
  // Touched on the far worker only.
  asio::cancellation_signal stop;

  void end(const std::exception_ptr& with) {
    ended = true;
    failure = with;
    if (arrival != nullptr) arrival->cancel();
  }
};

/// Waits on a timer that never expires and is cancelled on arrival: so the caller's own loop owns the waiting
/// coroutine, and whichever worker is destroyed first destroys nothing of the other.
class Waiting {
 public:
  Waiting(const asio::any_io_executor& here, Trip& trip)
      : timer_(here, asio::steady_timer::time_point::max()), trip_(trip) {
    trip_.arrival = &timer_;
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() { trip_.arrival = nullptr; }

  Task<void> once() { co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable)); }

 private:
  asio::steady_timer timer_;
  Trip& trip_;
};

void come_back(const asio::any_io_executor& here, std::shared_ptr<Trip> trip, std::exception_ptr failure) {
  asio::post(here, [trip = std::move(trip), failure = std::move(failure)] { trip->end(failure); });
}

void depart(asio::any_io_executor here, asio::any_io_executor there, const std::shared_ptr<Trip>& trip,
            Task<void> task) {
  asio::post(there, [here, there, trip, task = std::move(task)]() mutable {
    auto on_end = [here, there, trip](const std::exception_ptr& failure) {
      if (!failure) return come_back(here, trip, nullptr);
      // One turn later the ended coroutine has let go of the exception, so that it changes threads as a whole; the
      // thread sanitizer cannot see that the standard library counts references safely.
      asio::post(there,
                 [here, trip, own = std::exception_ptr(failure)]() mutable { come_back(here, trip, std::move(own)); });
    };
    asio::co_spawn(there, std::move(task), asio::bind_cancellation_slot(trip->stop.slot(), std::move(on_end)));
  });
}

void cancel_there(const asio::any_io_executor& there, const std::shared_ptr<Trip>& trip) {
  asio::post(there, [trip] { trip->stop.emit(asio::cancellation_type::terminal); });
}

}  // namespace

Task<void> hop_to(Worker& worker, Task<void> task) {
  const auto here = co_await asio::this_coro::executor;
  const bool throws = co_await asio::this_coro::throw_if_cancelled();
  const auto there = worker.executor();
  const auto trip = std::make_shared<Trip>();
  Waiting waiting{here, *trip};
  depart(here, there, trip, std::move(task));
  // From here on a cancellation is passed on and waited out, not thrown.
  co_await asio::this_coro::throw_if_cancelled(false);
  for (bool told = false; !trip->ended;) {
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    const bool cancelled = cancellation.cancelled() != asio::cancellation_type::none;
    if (cancelled && !std::exchange(told, true)) cancel_there(there, trip);
    co_await waiting.once();
  }
  co_await asio::this_coro::throw_if_cancelled(throws);
  // Taken out, so that it is not destroyed over there while we look at it here.
  const auto failure = std::exchange(trip->failure, nullptr);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fairlead
