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

struct TaskScope::ScopeState {
  ScopeState(const asio::any_io_executor& on, LogSink& sink, std::string_view owner)
      : executor(on), loop(executor.target<IoExecutor>()), log(sink), name(owner) {}

  void cancel();
  void add(RunningTask& task);
  void remove(RunningTask& task);
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
  using OutstandingWork = std::variant<std::monostate, TrackedExecutor, std::unique_ptr<asio::any_io_executor>>;
  void track() {
    if (loop) {
      outstanding.emplace<1>(asio::require(*loop, asio::execution::outstanding_work.tracked));
    } else {
      auto tracked = asio::prefer(executor, asio::execution::outstanding_work.tracked);
      outstanding.emplace<2>(std::make_unique<asio::any_io_executor>(std::move(tracked)));
    }
  }

  asio::any_io_executor executor;
  const IoExecutor* loop;  // The concrete type of `executor`, or null.
  LogSink& log;
  std::string name;
  ListEntry tasks;  // The head of the list.
  std::size_t count = 0;
  OutstandingWork outstanding;
  bool cancelled = false;
  // Never expires; cancelling it wakes join(). A timer, because the loop then owns the waiting coroutine and can
  // destroy it.
  std::optional<asio::steady_timer> all_ended;
};

void TaskScope::ScopeState::add(RunningTask& task) {
  task.previous = std::exchange(tasks.previous, &task);
  task.next = std::exchange(task.previous->next, &task);
  if (count++ == 0) track();
}

void TaskScope::ScopeState::remove(RunningTask& task) {
  if (task.next == &task) return;
  task.previous->next = task.next;
  task.next->previous = task.previous;
  task.previous = task.next = &task;
  if (--count == 0) outstanding.emplace<0>();
}

TaskScope::RunningTask::RunningTask(std::shared_ptr<ScopeState> scope)
    : RootTask(scope->executor), state_(std::move(scope)) {
  state_->add(*this);
}

TaskScope::RunningTask::~RunningTask() {
  state_->remove(*this);
}

void TaskScope::RunningTask::start(std::shared_ptr<RunningTask> owner) {
  // `owner` keeps the object until this returns: a task that ends at once gives up `self_`.
  self_ = owner;
  const auto frame = begin();
  if (!frame) return complete();
  run(frame);
  starting_ = false;
  if (cancelled_) request_stop();
}

// A task that is cancelled while it starts is stopped at its first wait.
void TaskScope::RunningTask::cancel() {
  cancelled_ = true;
  if (!starting_) request_stop();
}

void TaskScope::RunningTask::complete() {
  const auto keep = std::move(self_);
  std::exception_ptr failure;
  try {
    end();
  } catch (...) {
    failure = std::current_exception();
  }
  state_->ended(*this, failure);
}

void TaskScope::RunningTask::abandon() noexcept {
  const auto keep = std::move(self_);
  end_wait();
  state_->remove(*this);
  destroy_task();
}

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
  const bool expected = cancelled || task.cancelled_;
  remove(task);
  if (failure && !(expected && is_cancelled(failure))) report(failure);
  if (count == 0 && all_ended) all_ended->cancel();
}

TaskScope::TaskScope(const asio::any_io_executor& executor, LogSink& log, std::string_view name)
    : state_(detail::make_pooled<ScopeState>(executor, log, name)) {}

TaskScope::~TaskScope() {
  if (state_->count == 0 || !state_->can_still_run()) return;
  std::fprintf(stderr, "fairlead: the scope \"%s\" was destroyed while %zu of its tasks were running: join it first\n",
               state_->name.c_str(), state_->count);
  std::abort();
}

TaskScope::Handle TaskScope::spawn(Task<void> task) {
  return spawn(std::move(task), [](TaskOutcome<void>&& outcome) {
    if (!outcome) std::rethrow_exception(std::move(outcome.error()));
  });
}

TaskScope::Handle TaskScope::begin(std::shared_ptr<RunningTask> task) {
  Handle handle;
  handle.task_ = task;
  handle.started_ = true;
  auto& started = *task;
  if (state_->is_running_here()) {
    started.start(std::move(task));
  } else {
    asio::dispatch(state_->executor, [task = std::move(task)]() mutable {
      auto& later = *task;
      if (later.state_->cancelled || later.cancelled_) return later.state_->ended(later, nullptr);
      later.start(std::move(task));
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

const asio::any_io_executor& TaskScope::executor() const {
  return state_->executor;
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
