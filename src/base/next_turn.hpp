#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <fairlead/base/task.hpp>

namespace fairlead {

/// Resumes a task with the next turn of its event loop.
inline void resume_later(SuspendedTask waiting) {
  const auto executor = waiting.executor();
  boost::asio::post(executor, [waiting = std::move(waiting)]() mutable { std::move(waiting).resume(); });
}

struct NextTurn {
  bool await_ready() const { return false; }
  template <class Coroutine>
  void await_suspend(std::coroutine_handle<Coroutine> waiting) const {
    resume_later(SuspendedTask(waiting));
  }
  void await_resume() const {}
};

/// `co_await next_turn` continues with the next turn of the event loop. A stop request does not end this wait.
inline constexpr NextTurn next_turn;

}  // namespace fairlead
