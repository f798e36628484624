#pragma once

#include <fairlead/base/task.hpp>
#include <fairlead/base/workers.hpp>

namespace fairlead {

/// Runs `task` on another worker and resumes the caller on its own worker with the result or exception. Cancelling
/// the caller cancels the task; the caller still waits for the task to end.
///
/// Takes a whole task because a task is bound to one executor: one that switched threads would be resumed on the old
/// executor by its next wait.
Task<void> run_on_worker(Worker& worker, Task<void> task);

namespace detail {

template <class T>
Task<void> keep(Task<T> task, std::optional<T>* result) {
  result->emplace(co_await std::move(task));
}

}  // namespace detail

template <class T>
Task<T> run_on_worker(Worker& worker, Task<T> task) {
  std::optional<T> result;
  co_await run_on_worker(worker, detail::keep(std::move(task), &result));
  co_return std::move(*result);
}

}  // namespace fairlead
