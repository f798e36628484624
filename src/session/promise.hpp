#pragma once

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/task.hpp>
#include <memory>
#include <optional>
#include <utility>

namespace fairlead::session {

/// A value that comes later, for one coroutine that waits for it. All on one loop.
template <class T>
class Promise {
 public:
  /// The first value counts.
  void set(T value) {
    if (set_) return;
    set_ = true;
    if (waiter_) {
      auto& waiter = *waiter_;
      waiter.go_on(std::move(waiter_), std::move(value));
    } else {
      value_ = std::move(value);
    }
  }

  bool is_set() const { return set_; }

  /// What a waiter that is cancelled gets instead.
  Task<T> wait(T if_cancelled) {
    if (value_) co_return std::move(*value_);
    // Named, here and wherever we await: GCC 12 destroys a braced temporary in a co_await twice.
    Initiation start{this, std::move(if_cancelled)};
    co_return co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(T)>(
        std::move(start), boost::asio::use_awaitable);
  }

 private:
  /// The coroutine that waits, and what it will be told: one allocation.
  struct Waiter {
    explicit Waiter(T first) : value(std::move(first)) {}
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    virtual ~Waiter() = default;

    virtual void go_on(std::unique_ptr<Waiter> self, T with) = 0;

    T value;  // Until it is told: what it would be told if it were cancelled.
  };

  template <class Handler>
  struct Held final : Waiter {
    Held(Handler resumed, T if_cancelled) : Waiter(std::move(if_cancelled)), handler(std::move(resumed)) {}

    void go_on(std::unique_ptr<Waiter> self, T with) override {
      this->value = std::move(with);
      const auto executor = boost::asio::get_associated_executor(handler);
      // Posted, so that whoever keeps the promise goes on first.
      boost::asio::post(executor, [held = std::unique_ptr<Held>(static_cast<Held*>(self.release()))]() mutable {
        auto used = boost::asio::get_associated_cancellation_slot(held->handler);
        if (used.is_connected()) used.clear();
        auto resumed = std::move(held->handler);
        auto told = std::move(held->value);
        held.reset();
        std::move(resumed)(std::move(told));
      });
    }

    Handler handler;
  };

  struct Initiation {
    Promise* promise;
    T if_cancelled;

    template <class Handler>
    void operator()(Handler handler) {
      auto slot = boost::asio::get_associated_cancellation_slot(handler);
      if (slot.is_connected()) {
        slot.assign([promise = promise](auto) {
          if (promise->waiter_) promise->set(std::move(promise->waiter_->value));
        });
      }
      promise->waiter_ = std::make_unique<Held<Handler>>(std::move(handler), std::move(if_cancelled));
    }
  };

  bool set_ = false;
  std::optional<T> value_;
  std::unique_ptr<Waiter> waiter_;
};

}  // namespace fairlead::session
