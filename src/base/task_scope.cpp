#include <fairlead/base/task_scope.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/exceptions.hpp"

namespace fairlead {
namespace asio = boost::asio;

namespace {

// An entry of a ring.
struct ListEntry : private NonCopyable {
  bool alone() const { return next == this; }
  void insert_before(ListEntry& other) {
    previous = std::exchange(other.previous, this);
    next = std::exchange(previous->next, this);
  }
  void leave() {
    previous->next = next;
    next->previous = previous;
    previous = next = this;
  }

  ListEntry* previous = this;
  ListEntry* next = this;
};

}  // namespace

struct TaskScope::ScopeState {
  ScopeState(asio::any_io_executor on, LogSink& sink, std::string_view owner)
      : executor(std::move(on)), loop(executor.target<IoExecutor>()), log(sink), name(owner) {}

  void cancel();
  void ended(RunningTask& task, const std::exception_ptr& failure);

  void report(const std::exception_ptr& failure) {
    log.write(LogLevel::error, name, "a task failed: " + describe(failure));
  }

  bool is_running_here() const { return loop != nullptr && loop->running_in_this_thread(); }

  // A stopped loop runs nothing; its coroutines are destroyed together with it.
  bool can_still_run() const { return loop == nullptr || !loop->context().stopped(); }

  using IoExecutor = asio::io_context::executor_type;

  // Keeps the loop running while a task runs, because the task may wait for an event that is not the loop's.
  using TrackedExecutor =
      decltype(asio::require(std::declval<const IoExecutor&>(), asio::execution::outstanding_work.tracked));
  using OutstandingWork = std::variant<std::monostate, TrackedExecutor, asio::any_io_executor>;
  void track(OutstandingWork& work) const {
    if (loop) {
      work.emplace<1>(asio::require(*loop, asio::execution::outstanding_work.tracked));
    } else {
      work.emplace<2>(asio::prefer(executor, asio::execution::outstanding_work.tracked));
    }
  }

  asio::any_io_executor executor;
  const IoExecutor* loop;  // The concrete type of `executor`, or null.
  LogSink& log;
  std::string name;
  ListEntry tasks;  // The head of the list.
  std::size_t count = 0;
  bool cancelled = false;
  // Never expires; cancelling it wakes join(). A timer, because the loop then owns the waiting coroutine and can
  // destroy it.
  std::optional<asio::steady_timer> all_ended;
};

// Owns itself while it runs. Before that, the function posted to start it does.
struct TaskScope::RunningTask final : RootTask, ListEntry, std::enable_shared_from_this<RunningTask> {
  RunningTask(std::shared_ptr<ScopeState> of, Task<void> work)
      : RootTask(of->executor), state(std::move(of)), task(std::move(work)) {
    insert_before(state->tasks);
    ++state->count;
  }
  virtual ~RunningTask() { leave_scope(); }

  void leave_scope() {
    if (alone()) return;
    leave();
    --state->count;
  }

  void start(std::shared_ptr<RunningTask> owner) {
    if (task.is_ready()) return complete();
    self = std::move(owner);
    state->track(outstanding);
    run(task.begin(*this, nullptr));
    starting = false;
    if (cancelled) request_stop();
  }

  // A task that is cancelled while it starts is stopped at its first wait.
  void cancel() {
    cancelled = true;
    if (!starting) request_stop();
  }

  void complete() override {
    std::exception_ptr failure;
    try {
      task.take();
    } catch (...) {
      failure = std::current_exception();
    }
    const auto keep = std::move(self);
    state->ended(*this, failure);
    outstanding.emplace<0>();
  }

  void abandon() noexcept override {
    const auto keep = std::move(self);
    end_wait();
    leave_scope();
    const auto destroyed = std::move(task);
  }

  std::shared_ptr<ScopeState> state;
  Task<void> task;
  std::shared_ptr<RunningTask> self;
  ScopeState::OutstandingWork outstanding;
  bool cancelled = false;
  bool starting = true;
};

void TaskScope::ScopeState::cancel() {
  if (std::exchange(cancelled, true)) return;
  // A copy with shared ownership, because a task may end and leave the list while others are stopped. Runs on the
  // loop, like everything that resumes a task.
  std::vector<std::shared_ptr<RunningTask>> all;
  for (auto* task = tasks.next; task != &tasks; task = task->next) {
    all.push_back(static_cast<RunningTask*>(task)->shared_from_this());
  }
  asio::dispatch(executor, [all = std::move(all)] {
    for (const auto& task : all) task->cancel();
  });
}

void TaskScope::ScopeState::ended(RunningTask& task, const std::exception_ptr& failure) {
  const bool expected = cancelled || task.cancelled;
  task.leave_scope();
  if (failure && !(expected && is_cancelled(failure))) report(failure);
  if (count == 0 && all_ended) all_ended->cancel();
}

TaskScope::TaskScope(asio::any_io_executor executor, LogSink& log, std::string_view name)
    : state_(std::make_shared<ScopeState>(std::move(executor), log, name)) {}

TaskScope::~TaskScope() {
  if (state_->count == 0 || !state_->can_still_run()) return;
  std::fprintf(stderr, "fairlead: the scope \"%s\" was destroyed while %zu of its tasks were running: join it first\n",
               state_->name.c_str(), state_->count);
  std::abort();
}

TaskScope::Handle TaskScope::spawn(Task<void> task) {
  Handle handle;
  if (state_->cancelled) return handle;
  const auto running = std::make_shared<RunningTask>(state_, std::move(task));
  handle.task_ = running;
  handle.started_ = true;
  if (state_->is_running_here()) {
    running->start(running);
  } else {
    asio::dispatch(state_->executor, [running] {
      if (running->state->cancelled || running->cancelled) return running->state->ended(*running, nullptr);
      running->start(running);
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
  return state_->count;
}

Task<void> TaskScope::join() {
  const auto shield = co_await this_task::shield;
  const auto stop = co_await this_task::stop_token;
  const auto state = state_;
  while (state->count > 0) {
    if (stop.stop_requested()) state->cancel();
    if (!state->all_ended) state->all_ended.emplace(state->executor, asio::steady_timer::time_point::max());
    co_await state->all_ended->async_wait(asio::as_tuple(use_task));
  }
}

Task<void> with_scope(LogSink& log, std::string_view name, std::function<Task<void>(TaskScope&)> body) {
  TaskScope scope{co_await this_task::executor, log, name};
  std::exception_ptr failure;
  try {
    co_await body(scope);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) scope.cancel();
  {
    // The caller may be cancelled by now, and must still wait for the tasks it started.
    const auto shield = co_await this_task::shield;
    co_await scope.join();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fairlead
