#pragma once

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/task.hpp>
#include <functional>
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
    if (resume_) {
      std::exchange(resume_, nullptr)(std::move(value));
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
  struct Initiation {
    Promise* promise;
    T if_cancelled;

    template <class Handler>
    void operator()(Handler handler) {
      auto slot = boost::asio::get_associated_cancellation_slot(handler);
      if (slot.is_connected()) {
        slot.assign([promise = promise, value = std::make_shared<T>(std::move(if_cancelled))](auto) {
          promise->set(std::move(*value));
        });
      }
      promise->resume_ = [held = std::make_shared<Handler>(std::move(handler))](T value) {
        // Posted, so that whoever keeps the promise goes on first.
        const auto executor = boost::asio::get_associated_executor(*held);
        boost::asio::post(executor, [held, value = std::make_shared<T>(std::move(value))] {
          auto used = boost::asio::get_associated_cancellation_slot(*held);
          if (used.is_connected()) used.clear();
          std::move (*held)(std::move(*value));
        });
      };
    }
  };

  bool set_ = false;
  std::optional<T> value_;
  std::function<void(T)> resume_;
};

}  // namespace fairlead::session
