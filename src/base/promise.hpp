#pragma once

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <fairlead/base/task.hpp>
#include <memory>
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
    if (store(std::move(value))) resume(&Waiter::resume_later);
  }

  /// Sets the value and resumes the waiter inline, without a turn of the loop. The waiter may destroy any object,
  /// including this promise: do not call it while iterating. Only on the event loop.
  void set_and_yield(T&& value) {
    if (store(std::move(value))) resume(&Waiter::resume_inline);
  }

  bool is_set() const { return set_; }

  /// Returns the value, or `if_cancelled` if the waiter is cancelled.
  Task<T> wait(T if_cancelled) {
    if (!set_) co_await settled();
    co_return value_ ? std::move(*value_) : std::move(if_cancelled);
  }

  /// wait() in two steps without a coroutine frame: `co_await settled()`, then take(), which returns nothing if the
  /// waiter was cancelled. Awaiting a promise that is already set costs one turn of the loop.
  auto settled() {
    return boost::asio::async_initiate<const boost::asio::deferred_t&, void()>(PromiseWait{this},
                                                                               boost::asio::deferred);
  }
  std::optional<T> take() { return std::exchange(value_, std::nullopt); }

 private:
  struct Waiter {
    Waiter() = default;
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    virtual ~Waiter() = default;

    virtual void resume_later(std::unique_ptr<Waiter> self) = 0;
    virtual void resume_inline(std::unique_ptr<Waiter> self) = 0;
  };

  template <class Handler>
  struct HandlerWaiter final : Waiter {
    explicit HandlerWaiter(Handler resumed) : handler(std::move(resumed)) {}

    void resume_later(std::unique_ptr<Waiter> self) override {
      const auto executor = boost::asio::get_associated_executor(handler);
      boost::asio::post(executor, Resumption{std::move(self)});
    }
    void resume_inline(std::unique_ptr<Waiter> self) override { Resumption{std::move(self)}(); }

    struct Resumption {
      std::unique_ptr<Waiter> waiter;

      void operator()() {
        auto resumed = std::move(static_cast<HandlerWaiter&>(*waiter).handler);
        waiter.reset();
        auto used = boost::asio::get_associated_cancellation_slot(resumed);
        if (used.is_connected()) used.clear();
        std::move(resumed)();
      }
    };

    Handler handler;
  };

  struct PromiseWait {
    Promise* promise;

    template <class Handler>
    void operator()(Handler handler) {
      auto slot = boost::asio::get_associated_cancellation_slot(handler);
      if (slot.is_connected()) {
        // Not inline: the resumed waiter could destroy the code that cancels it.
        slot.assign([promise = promise](auto) {
          if (!std::exchange(promise->set_, true)) promise->resume(&Waiter::resume_later);
        });
      }
      promise->waiter_ = std::make_unique<HandlerWaiter<Handler>>(std::move(handler));
      if (promise->set_) promise->resume(&Waiter::resume_later);
    }
  };

  bool store(T&& value) {
    if (std::exchange(set_, true)) return false;
    value_ = std::move(value);
    return true;
  }

  void resume(void (Waiter::*how)(std::unique_ptr<Waiter>)) {
    if (!waiter_) return;
    auto& waiter = *waiter_;
    (waiter.*how)(std::move(waiter_));
  }

  bool set_ = false;
  std::optional<T> value_;
  std::unique_ptr<Waiter> waiter_;
};

}  // namespace fairlead
