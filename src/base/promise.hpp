#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <fairlead/base/task.hpp>
#include <optional>
#include <utility>

namespace fairlead {

/// A value that is set later and awaited by one coroutine, which keeps the promise alive while it waits. Used on one
/// event loop.
template <class T>
class Promise {
 public:
  /// Sets the value unless it is already set, and posts the waiter to the loop.
  void set(T&& value) {
    if (store(std::move(value))) resume_later();
  }

  /// Sets the value and resumes the waiter inline, without a turn of the loop. The waiter may destroy any object,
  /// including this promise: do not call it while iterating. Only on the event loop.
  void set_and_yield(T&& value) {
    if (store(std::move(value)) && waiter_) SuspendedTask(std::move(waiter_)).resume();
  }

  bool is_set() const { return set_; }

  /// Returns the value, or `if_cancelled` if the waiter is cancelled.
  Task<T> wait(T if_cancelled) {
    co_await settled();
    co_return value_ ? std::move(*value_) : std::move(if_cancelled);
  }

  /// wait() in two steps without a coroutine frame: `co_await settled()`, then take(), which returns nothing if the
  /// waiter was cancelled.
  auto settled() { return Settled(*this); }
  std::optional<T> take() { return std::exchange(value_, std::nullopt); }

 private:
  class Settled final : public StopHook {
   public:
    explicit Settled(Promise& promise) : promise_(promise) {}

    bool await_ready() const { return promise_.set_; }
    template <class Coroutine>
    void await_suspend(std::coroutine_handle<Coroutine> waiting) {
      promise_.waiter_ = SuspendedTask(waiting);
      waiting.promise().context().begin_wait(*this);
    }
    void await_resume() const {}
    void stop() override {
      if (!std::exchange(promise_.set_, true)) promise_.resume_later();
    }

   private:
    Promise& promise_;
  };

  bool store(T&& value) {
    if (std::exchange(set_, true)) return false;
    value_ = std::move(value);
    return true;
  }

  void resume_later() {
    if (!waiter_) return;
    const auto executor = waiter_.executor();
    boost::asio::post(executor, [waiter = std::move(waiter_)]() mutable { std::move(waiter).resume(); });
  }

  bool set_ = false;
  std::optional<T> value_;
  SuspendedTask waiter_;
};

}  // namespace fairlead
