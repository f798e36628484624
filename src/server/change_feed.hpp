#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <fairlead/base/synchronized.hpp>
#include <functional>
#include <list>
#include <memory>
#include <optional>

#include "server/server_state.hpp"

namespace fairlead::server {

/// Queues change notifications for one client. Accepts changes from any thread and queues them on the client's event
/// loop; drops a notification that equals a queued one.
class ChangeFeed : public std::enable_shared_from_this<ChangeFeed> {
 public:
  /// `wanted` filters changes; `ready` is called when a notification was queued. Both are called on the event loop.
  ChangeFeed(boost::asio::any_io_executor executor, std::function<bool(const Change&)> wanted,
             std::function<void()> ready);
  ~ChangeFeed();

  /// Starts to observe changes.
  void open(const std::shared_ptr<ChangeObservers>& observers);

  /// Removes and returns the next notification, if any.
  std::optional<session::Notification> pop();

 private:
  // Empty once the feed is destroyed: a change on another thread must not post to a destroyed event loop.
  using ExecutorSlot = Synchronized<std::optional<boost::asio::any_io_executor>>;

  void push(const Change& change);

  std::function<bool(const Change&)> wanted_;
  std::function<void()> ready_;
  std::list<session::Notification> waiting_;
  std::shared_ptr<ExecutorSlot> executor_slot_;
  ChangeSubscription subscription_;
};

}  // namespace fairlead::server
