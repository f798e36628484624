#pragma once

#include <fairlead/base/task.hpp>

#include "base/next_turn.hpp"

namespace fairlead {

/// A value that is set later and awaited by one coroutine, which keeps the promise alive while it waits. Used on one
/// event loop.
template <class T>
class Promise {
 public:
  /// Sets the value unless it is already set, and resumes the waiter inline. The waiter may destroy any object,
  /// including this promise. A waiter that must not run inside the caller, such as a destructor, awaits `next_turn`
  /// first.
  template <class U = T>
  void set(U&& value) {
    if (std::exchange(set_, true)) return;
    value_.emplace(std::forward<U>(value));
    if (waiter_) SuspendedTask(std::move(waiter_)).resume();
  }

  bool is_set() const { return set_; }
  bool is_awaited() const { return static_cast<bool>(waiter_); }

  /// Awaited, returns the value as `std::optional<T>`; nothing if the waiter was stopped.
  auto wait() { return Wait(*this); }

 private:
  class Wait final : public StopHook {
   public:
    explicit Wait(Promise& promise) : promise_(promise) {}

    bool await_ready() const { return promise_.set_; }
    template <class Coroutine>
    void await_suspend(std::coroutine_handle<Coroutine> waiting) {
      promise_.waiter_ = SuspendedTask(waiting);
      waiting.promise().context().begin_wait(*this);
    }
    std::optional<T> await_resume() const { return std::exchange(promise_.value_, std::nullopt); }
    void stop() override {
      if (!std::exchange(promise_.set_, true)) resume_later(std::move(promise_.waiter_));
    }

   private:
    Promise& promise_;
  };

  bool set_ = false;
  std::optional<T> value_;
  SuspendedTask waiter_;
};

}  // namespace fairlead
