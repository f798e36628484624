#include <fairlead/base/task_scope.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fairlead/base/log.hpp>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/aborted.hpp"

namespace fairlead {
namespace asio = boost::asio;

struct TaskScope::Running {
  void cancel() {
    cancelled = true;
    if (!starting) signal.emit(asio::cancellation_type::terminal);
  }
  // Asio posts the end of a task that never had to wait, and throws out of the loop if it was cancelled by then. So a
  // task that is cancelled before its first wait, by itself perhaps, learns of it then.
  void started() {
    starting = false;
    if (cancelled) signal.emit(asio::cancellation_type::terminal);
  }

  asio::cancellation_signal signal;
  bool cancelled = false;
  bool starting = true;
};

struct TaskScope::State {
  using Tasks = std::list<std::shared_ptr<Running>>;

  State(asio::any_io_executor on, LogSink& sink, std::string_view owner)
      : executor(std::move(on)), log(sink), name(owner) {}

  void cancel() {
    if (std::exchange(cancelled, true)) return;
    // A copy that shares: a task may end, and leave the list, before or while its signal is emitted. Emitted on the
    // loop, because elsewhere Asio would post a bare pointer to a signal that may be gone when its turn comes.
    asio::dispatch(executor, [all = std::vector<Tasks::value_type>(tasks.begin(), tasks.end())] {
      for (const auto& task : all) task->cancel();
    });
  }

  static Task<void> unless_cancelled(std::shared_ptr<State> state, Task<void> task) {
    if (state->cancelled) co_return;
    std::exception_ptr failure;
    try {
      co_await std::move(task);
    } catch (...) {
      failure = std::current_exception();
    }
    co_await asio::this_coro::throw_if_cancelled(false);  // See Running::started.
    if (failure) std::rethrow_exception(failure);
  }

  void ended(Tasks::iterator task, const std::exception_ptr& failure) {
    const bool expected = cancelled || (*task)->cancelled;
    tasks.erase(task);
    if (failure && !(expected && is_aborted(failure))) report(failure);
    if (tasks.empty() && all_ended) all_ended->cancel();
  }

  void report(const std::exception_ptr& failure) {
    log.write(LogLevel::error, name, "a task failed: " + describe(failure));
  }

  bool is_running_here() const {
    const auto* loop = executor.target<asio::io_context::executor_type>();
    return loop != nullptr && loop->running_in_this_thread();
  }

  // A stopped loop runs nothing any more; its coroutines are only waiting to be destroyed with it.
  bool can_still_run() const {
    const auto* loop = executor.target<asio::io_context::executor_type>();
    return loop == nullptr || !loop->context().stopped();
  }

  asio::any_io_executor executor;
  LogSink& log;
  std::string name;
  Tasks tasks;
  bool cancelled = false;
  // Never expires; cancelling it wakes those who join. A timer, because the loop then owns the waiting coroutine and
  // can destroy it.
  std::optional<asio::steady_timer> all_ended;
};

TaskScope::TaskScope(asio::any_io_executor executor, LogSink& log, std::string_view name)
    : state_(std::make_shared<State>(std::move(executor), log, name)) {}

TaskScope::~TaskScope() {
  if (state_->tasks.empty() || !state_->can_still_run()) return;
  std::fprintf(stderr, "fairlead: the scope \"%s\" was destroyed while %zu of its tasks were running: join it first\n",
               state_->name.c_str(), state_->tasks.size());
  std::abort();
}

TaskScope::Handle TaskScope::spawn(Task<void> task) {
  Handle handle;
  if (state_->cancelled) return handle;
  const auto entry = state_->tasks.insert(state_->tasks.end(), std::make_shared<Running>());
  auto on_end = [state = state_, entry](const std::exception_ptr& failure) { state->ended(entry, failure); };
  // Before it starts: it may end at once, and take its entry with it.
  const auto slot = (*entry)->signal.slot();
  handle.task_ = *entry;
  handle.started_ = true;
  // On its own loop it starts here and now; elsewhere the scope may be cancelled before its turn comes.
  if (!state_->is_running_here()) task = State::unless_cancelled(state_, std::move(task));
  // The entry may be gone afterwards.
  const auto running = *entry;
  asio::co_spawn(state_->executor, std::move(task), asio::bind_cancellation_slot(slot, std::move(on_end)));
  running->started();
  return handle;
}

void TaskScope::Handle::cancel() {
  if (const auto task = task_.lock()) task->cancel();
}

void TaskScope::cancel() {
  state_->cancel();
}

bool TaskScope::cancelled() const {
  return state_->cancelled;
}

std::size_t TaskScope::count() const {
  return state_->tasks.size();
}

Task<void> TaskScope::join() {
  const bool throws = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);
  const auto state = state_;
  while (!state->tasks.empty()) {
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none) state->cancel();
    if (!state->all_ended) state->all_ended.emplace(state->executor, asio::steady_timer::time_point::max());
    co_await state->all_ended->async_wait(asio::as_tuple(asio::use_awaitable));
  }
  co_await asio::this_coro::throw_if_cancelled(throws);
}

Task<void> with_scope(LogSink& log, std::string_view name, std::function<Task<void>(TaskScope&)> body) {
  TaskScope scope{co_await asio::this_coro::executor, log, name};
  std::exception_ptr failure;
  try {
    co_await body(scope);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) scope.cancel();
  const bool throws = co_await asio::this_coro::throw_if_cancelled();
  // The caller may be cancelled by now, and must wait for what it started nevertheless.
  co_await asio::this_coro::throw_if_cancelled(false);
  co_await scope.join();
  co_await asio::this_coro::throw_if_cancelled(throws);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fairlead
