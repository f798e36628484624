#pragma once

#include <boost/asio/io_context.hpp>
#include <exception>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/base/timer_wheel_driver.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace fairlead::test {

/// Starts a task that does not throw. A separate function, so that its Asio code is compiled once.
void spawn(boost::asio::io_context& context, Task<void> task);

/// Result of a started task.
template <class T>
class Pending {
 public:
  bool done() const { return state_->failure || state_->value; }
  T get() const {
    if (state_->failure) std::rethrow_exception(state_->failure);
    return std::move(state_->value.value());
  }

 private:
  friend class TestLoop;
  struct State {
    std::exception_ptr failure;
    std::optional<T> value;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

/// An event loop driven by the test.
class TestLoop {
 public:
  EventLoop loop() { return {context_.get_executor(), driver_.wheel(), log_}; }
  CapturingSink& log() { return log_; }
  boost::asio::io_context& context() { return context_; }

  template <class T>
  Pending<T> start(Task<T> task) {
    Pending<T> pending;
    spawn(context_, keep(std::move(task), pending.state_));
    return pending;
  }

  template <class T>
  T finish(const Pending<T>& pending) {
    context_.restart();
    while (!pending.done()) {
      if (context_.run_one() == 0) throw std::runtime_error("the task waits for nothing that could come");
    }
    return pending.get();
  }

  template <class T>
  T run(Task<T> task) {
    return finish(start(std::move(task)));
  }

  /// Runs everything that is ready.
  void poll() {
    context_.restart();
    context_.poll();
  }

 private:
  template <class T>
  static Task<void> keep(Task<T> task, std::shared_ptr<typename Pending<T>::State> state) {
    try {
      state->value = co_await std::move(task);
    } catch (...) {
      state->failure = std::current_exception();
    }
  }

  boost::asio::io_context context_{1};
  TimerWheelDriver driver_{context_.get_executor()};
  CapturingSink log_;
};

}  // namespace fairlead::test
