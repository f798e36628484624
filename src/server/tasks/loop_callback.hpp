#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <fairlead/base/synchronized.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace fairlead::server {

/// A function that other threads call on an event loop, until this object is destroyed on that loop.
class LoopCallback {
 public:
  LoopCallback(boost::asio::any_io_executor executor, std::function<void()> function)
      : link_(std::make_shared<Link>(std::move(executor), std::move(function))) {}
  LoopCallback(const LoopCallback&) = delete;
  LoopCallback& operator=(const LoopCallback&) = delete;
  ~LoopCallback() {
    link_->executor.with([](auto& slot) { slot.reset(); });
    link_->function = nullptr;
  }

  /// Thread-safe; may outlive this object, and does nothing then.
  std::function<void()> trigger() const {
    return [link = link_] {
      link->executor.with([&](const auto& slot) {
        if (slot) boost::asio::post(*slot, [link] { call(*link); });
      });
    };
  }

 private:
  /// Without an executor once the owner is destroyed: nothing must be posted to a destroyed event loop.
  struct Link {
    Link(boost::asio::any_io_executor on, std::function<void()> calls)
        : executor(std::optional(std::move(on))), function(std::move(calls)) {}
    Synchronized<std::optional<boost::asio::any_io_executor>> executor;
    std::function<void()> function;  // Used on the event loop only.
  };

  // A copy, because the function may destroy the owner.
  static void call(const Link& link) {
    if (const auto function = link.function) function();
  }

  std::shared_ptr<Link> link_;
};

}  // namespace fairlead::server
