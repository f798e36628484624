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

/// A value that comes later, for one coroutine that waits for it and keeps the promise alive meanwhile. All on one
/// loop.
template <class T>
class Promise {
 public:
  /// The first value counts. Whoever waits goes on when the loop turns to it.
  void set(T&& value) {
    if (take_in(std::move(value))) resume(&Waiter::go_on);
  }

  /// The same where whoever waits goes on at once, before this returns, which spares the loop a turn. It may end all
  /// that it knows of, this promise too: so never while something is walked through, and on the loop only.
  void set_and_yield(T&& value) {
    if (take_in(std::move(value))) resume(&Waiter::go_on_here);
  }

  bool is_set() const { return set_; }

  /// What a waiter that is cancelled gets instead.
  Task<T> wait(T if_cancelled) {
    if (!set_) co_await settled();
    co_return value_ ? std::move(*value_) : std::move(if_cancelled);
  }

  /// `wait` in two steps, to be awaited where it is called, which costs no coroutine: `take` has nothing for a waiter
  /// that was cancelled. One that is set already costs a turn of the loop.
  auto settled() {
    return boost::asio::async_initiate<const boost::asio::deferred_t&, void()>(Initiation{this}, boost::asio::deferred);
  }
  std::optional<T> take() { return std::exchange(value_, std::nullopt); }

 private:
  struct Waiter {
    Waiter() = default;
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    virtual ~Waiter() = default;

    virtual void go_on(std::unique_ptr<Waiter> self) = 0;
    virtual void go_on_here(std::unique_ptr<Waiter> self) = 0;
  };

  template <class Handler>
  struct Held final : Waiter {
    explicit Held(Handler resumed) : handler(std::move(resumed)) {}

    void go_on(std::unique_ptr<Waiter> self) override {
      const auto executor = boost::asio::get_associated_executor(handler);
      boost::asio::post(executor, Resumption{std::move(self)});
    }
    void go_on_here(std::unique_ptr<Waiter> self) override { Resumption{std::move(self)}(); }

    struct Resumption {
      std::unique_ptr<Waiter> waiter;

      void operator()() {
        auto resumed = std::move(static_cast<Held&>(*waiter).handler);
        waiter.reset();
        auto used = boost::asio::get_associated_cancellation_slot(resumed);
        if (used.is_connected()) used.clear();
        std::move(resumed)();
      }
    };

    Handler handler;
  };

  struct Initiation {
    Promise* promise;

    template <class Handler>
    void operator()(Handler handler) {
      auto slot = boost::asio::get_associated_cancellation_slot(handler);
      if (slot.is_connected()) {
        // Not here and now: whoever cancels would be ended by it.
        slot.assign([promise = promise](auto) {
          if (!std::exchange(promise->set_, true)) promise->resume(&Waiter::go_on);
        });
      }
      promise->waiter_ = std::make_unique<Held<Handler>>(std::move(handler));
      if (promise->set_) promise->resume(&Waiter::go_on);
    }
  };

  bool take_in(T&& value) {
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
