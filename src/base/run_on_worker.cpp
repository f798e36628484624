#include <fairlead/base/run_on_worker.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/non_copyable.hpp>

namespace fairlead {
namespace asio = boost::asio;

namespace {

/// Shared by both workers, because either may be destroyed before the other's message arrives.
struct RemoteCall {
  // Used on the caller's worker only.
  asio::steady_timer* wakeup = nullptr;
  bool ended = false;
  std::exception_ptr failure;
  // Used on the other worker only.
  StopSource stop;

  void end(const std::exception_ptr& with) {
    ended = true;
    failure = with;
    if (wakeup != nullptr) wakeup->cancel();
  }
};

/// Waits on a timer that never expires and is cancelled to wake the caller. The caller's own loop thus owns the
/// waiting coroutine, and destroying one worker destroys nothing of the other.
class RemoteWait : NonCopyable {
 public:
  RemoteWait(const asio::any_io_executor& here, RemoteCall& call)
      : timer_(here, asio::steady_timer::time_point::max()), call_(call) {
    call_.wakeup = &timer_;
  }
  ~RemoteWait() { call_.wakeup = nullptr; }

  Task<void> once() { co_await timer_.async_wait(asio::as_tuple(use_task)); }

 private:
  asio::steady_timer timer_;
  RemoteCall& call_;
};

void post_completion(const asio::any_io_executor& here, std::shared_ptr<RemoteCall> call, std::exception_ptr failure) {
  asio::post(here, [call = std::move(call), failure = std::move(failure)] { call->end(failure); });
}

void start_remote(asio::any_io_executor here, asio::any_io_executor there, const std::shared_ptr<RemoteCall>& call,
                  Task<void> task) {
  asio::post(there, [here, there, call, task = std::move(task)]() mutable {
    // The exception is moved, so that no reference to it stays on this thread: the thread sanitizer does not see the
    // atomic reference count of the standard library.
    auto on_end = [here, call](TaskOutcome<void> outcome) {
      post_completion(here, call, outcome ? nullptr : std::move(outcome.error()));
    };
    start(there, std::move(task), std::move(on_end), &call->stop);
  });
}

void cancel_remote(const asio::any_io_executor& there, const std::shared_ptr<RemoteCall>& call) {
  asio::post(there, [call] { call->stop.request_stop(); });
}

}  // namespace

Task<void> run_on_worker(Worker& worker, Task<void> task) {
  const auto here = co_await this_task::executor;
  const auto stop = co_await this_task::stop_token;
  const auto there = worker.executor();
  const auto call = std::make_shared<RemoteCall>();
  RemoteWait waiting{here, *call};
  start_remote(here, there, call, std::move(task));
  // From here on a cancellation is forwarded to the task and not thrown.
  const auto shield = co_await this_task::shield;
  for (bool signalled = false; !call->ended;) {
    if (stop.stop_requested() && !std::exchange(signalled, true)) cancel_remote(there, call);
    co_await waiting.once();
  }
  // Moved out, so that the other worker does not destroy it while it is in use here.
  const auto failure = std::exchange(call->failure, nullptr);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fairlead
