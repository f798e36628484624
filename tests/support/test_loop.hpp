#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
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

  /// Runs the loop until the condition is true. Throws after `timeout`, so that a test of a broken mechanism fails
  /// instead of hanging; it is long enough for a busy machine.
  template <class Condition>
  void run_until(Condition is_true, Duration timeout = std::chrono::seconds{30}) {
    const auto limit = std::chrono::steady_clock::now() + timeout;
    context_.restart();
    while (!is_true()) {
      if (context_.run_one_until(limit) > 0) continue;
      throw std::runtime_error(context_.stopped() ? "the test waits for nothing that could come"
                                                  : "the test waited too long");
    }
  }

  template <class T>
  T finish(const Pending<T>& pending, Duration timeout = std::chrono::seconds{30}) {
    run_until([&] { return pending.done(); }, timeout);
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
