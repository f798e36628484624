#pragma once

#include <fairlead/base/task.hpp>

namespace fairlead {
namespace detail {

template <class T, class Change>
Task<T> change_later(Task<T> task, Change change) {
  T result = co_await std::move(task);
  change(result);
  co_return result;
}

}  // namespace detail

/// Calls `change(T&)` with the result of a task before its caller gets it. Returns a ready task if the task is ready.
template <class T, class Change>
Task<T> change_result(Task<T> task, Change change) {
  if (!task.is_ready()) return detail::change_later(std::move(task), std::move(change));
  T result = task.take();
  change(result);
  return result;
}

}  // namespace fairlead
