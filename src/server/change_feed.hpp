#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <fairlead/base/synchronized.hpp>

#include "server/server_state.hpp"

namespace fairlead::server {

/// Change notifications for one client. Accepts changes from any thread and reports them on the client's event loop.
class ChangeFeed : public std::enable_shared_from_this<ChangeFeed> {
 public:
  /// `wanted` filters changes; `report` receives their notifications. Both are called on the event loop.
  ChangeFeed(boost::asio::any_io_executor executor, std::function<bool(const Change&)> wanted,
             std::function<void(session::Notification)> report);
  ~ChangeFeed();

  /// Starts to observe changes.
  void open(const std::shared_ptr<ChangeObservers>& observers);

 private:
  // Empty once the feed is destroyed: a change on another thread must not post to a destroyed event loop.
  using ExecutorSlot = Synchronized<std::optional<boost::asio::any_io_executor>>;

  std::function<bool(const Change&)> wanted_;
  std::function<void(session::Notification)> report_;
  std::shared_ptr<ExecutorSlot> executor_slot_;
  ChangeSubscription subscription_;
};

}  // namespace fairlead::server
