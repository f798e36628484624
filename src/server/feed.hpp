#pragma once

#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>

#include "server/server_state.hpp"

namespace fairlead::server {

/// Brings changes from whichever thread made them to a coroutine that waits for them. Equal ones that wait are one.
class Feed : public std::enable_shared_from_this<Feed> {
 public:
  Feed(boost::asio::any_io_executor executor, std::function<bool(const Change&)> wanted);

  /// Starts to collect; the subscription ends it.
  ChangeSubscription open(const std::shared_ptr<Observers>& observers);

  /// The next change, or `cancelled`.
  Task<Result<Change>> next();

 private:
  void push(const Change& change);

  boost::asio::steady_timer timer_;
  std::function<bool(const Change&)> wanted_;
  std::deque<Change> waiting_;
};

/// What a change is called on the wire, and its params.
session::Notice notice_of(const Change& change);

}  // namespace fairlead::server
