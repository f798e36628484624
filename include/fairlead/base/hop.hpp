#pragma once

#include <fairlead/base/task.hpp>
#include <fairlead/base/workers.hpp>
#include <optional>
#include <utility>

namespace fairlead {

/// Runs `task` on another worker and comes back to the caller's with its outcome, exceptions included. Cancelling the
/// caller cancels the task over there; the caller waits for its end all the same.
///
/// A whole task, not a bare jump: an Asio coroutine belongs to one executor, and after a jump its next wait would take
/// it back.
Task<void> hop_to(Worker& worker, Task<void> task);

namespace detail {

template <class T>
Task<void> keep(Task<T> task, std::optional<T>* result) {
  result->emplace(co_await std::move(task));
}

}  // namespace detail

template <class T>
Task<T> hop_to(Worker& worker, Task<T> task) {
  std::optional<T> result;
  co_await hop_to(worker, detail::keep(std::move(task), &result));
  co_return std::move(*result);
}

}  // namespace fairlead
