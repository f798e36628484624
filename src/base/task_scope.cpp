#include <fairlead/base/task_scope.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
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

#include "base/exceptions.hpp"

namespace fairlead {
namespace asio = boost::asio;

struct TaskScope::RunningTask {
  void cancel() {
    cancelled = true;
    if (!starting) signal.emit(asio::cancellation_type::terminal);
  }
  // A task that was cancelled before its first wait is signalled at that wait.
  void started() {
    starting = false;
    if (cancelled) signal.emit(asio::cancellation_type::terminal);
  }

  asio::cancellation_signal signal;
  bool cancelled = false;
  bool starting = true;
};

struct TaskScope::ScopeState {
  using TaskList = std::list<std::shared_ptr<RunningTask>>;

  ScopeState(asio::any_io_executor on, LogSink& sink, std::string_view owner)
      : executor(std::move(on)), loop(executor.target<IoExecutor>()), log(sink), name(owner) {}

  void cancel() {
    if (std::exchange(cancelled, true)) return;
    // A copy with shared ownership, because a task may end and leave the list while signals are emitted. Runs on the
    // loop, like everything that resumes a task.
    asio::dispatch(executor, [all = std::vector<TaskList::value_type>(tasks.begin(), tasks.end())] {
      for (const auto& task : all) task->cancel();
    });
  }

  // Replaces `asio::co_spawn`, whose turns of the executor and second signal cost more than most tasks. Only this
  // function depends on how Asio starts a coroutine; if that changes, use `co_spawn`.
  using RootCoroutine = asio::awaitable<asio::detail::awaitable_thread_entry_point, asio::any_io_executor>;

  static RootCoroutine run_to_end(std::shared_ptr<ScopeState> state, TaskList::iterator entry, Task<void> task) {
    const OutstandingWork work(*state);
    std::exception_ptr failure;
    try {
      co_await std::move(task);
    } catch (...) {
      failure = std::current_exception();
    }
    state->ended(entry, failure);
  }

  static void start(const std::shared_ptr<ScopeState>& state, TaskList::iterator entry, Task<void> task) {
    // launch() may erase the entry.
    const auto running = *entry;
    const auto slot = running->signal.slot();
    asio::detail::awaitable_handler<asio::any_io_executor>(run_to_end(state, entry, std::move(task)), state->executor,
                                                           slot, asio::cancellation_state(slot))
        .launch();
    running->started();
  }

  static void start_unless_cancelled(const std::shared_ptr<ScopeState>& state, TaskList::iterator entry,
                                     Task<void> task) {
    if (state->cancelled || (*entry)->cancelled) return state->ended(entry, nullptr);
    start(state, entry, std::move(task));
  }

  void ended(TaskList::iterator task, const std::exception_ptr& failure) {
    const bool expected = cancelled || (*task)->cancelled;
    tasks.erase(task);
    if (failure && !(expected && is_cancelled(failure))) report(failure);
    if (tasks.empty() && all_ended) all_ended->cancel();
  }

  void report(const std::exception_ptr& failure) {
    log.write(LogLevel::error, name, "a task failed: " + describe(failure));
  }

  bool is_running_here() const { return loop != nullptr && loop->running_in_this_thread(); }

  // A stopped loop runs nothing; its coroutines are destroyed together with it.
  bool can_still_run() const { return loop == nullptr || !loop->context().stopped(); }

  using IoExecutor = asio::io_context::executor_type;

  // Keeps the loop running while a task runs, because the task may wait for an event that is not the loop's.
  class OutstandingWork {
   public:
    explicit OutstandingWork(const ScopeState& state) {
      if (state.loop) {
        tracked_.emplace(asio::require(*state.loop, asio::execution::outstanding_work.tracked));
      } else {
        other_ = asio::prefer(state.executor, asio::execution::outstanding_work.tracked);
      }
    }

   private:
    std::optional<decltype(asio::require(std::declval<const IoExecutor&>(), asio::execution::outstanding_work.tracked))>
        tracked_;
    asio::any_io_executor other_;
  };

  asio::any_io_executor executor;
  const IoExecutor* loop;  // The concrete type of `executor`, or null.
  LogSink& log;
  std::string name;
  TaskList tasks;
  bool cancelled = false;
  // Never expires; cancelling it wakes join(). A timer, because the loop then owns the waiting coroutine and can
  // destroy it.
  std::optional<asio::steady_timer> all_ended;
};

TaskScope::TaskScope(asio::any_io_executor executor, LogSink& log, std::string_view name)
    : state_(std::make_shared<ScopeState>(std::move(executor), log, name)) {}

TaskScope::~TaskScope() {
  if (state_->tasks.empty() || !state_->can_still_run()) return;
  std::fprintf(stderr, "fairlead: the scope \"%s\" was destroyed while %zu of its tasks were running: join it first\n",
               state_->name.c_str(), state_->tasks.size());
  std::abort();
}

TaskScope::Handle TaskScope::spawn(Task<void> task) {
  Handle handle;
  if (state_->cancelled) return handle;
  const auto entry = state_->tasks.insert(state_->tasks.end(), std::make_shared<RunningTask>());
  handle.task_ = *entry;
  handle.started_ = true;
  if (state_->is_running_here()) {
    ScopeState::start(state_, entry, std::move(task));
  } else {
    asio::dispatch(state_->executor, [state = state_, entry, task = std::move(task)]() mutable {
      ScopeState::start_unless_cancelled(state, entry, std::move(task));
    });
  }
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
  // The caller may be cancelled by now, and must still wait for the tasks it started.
  co_await asio::this_coro::throw_if_cancelled(false);
  co_await scope.join();
  co_await asio::this_coro::throw_if_cancelled(throws);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fairlead
