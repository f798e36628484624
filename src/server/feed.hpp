#pragma once

#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <fairlead/base/guarded.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "server/server_state.hpp"

namespace fairlead::server {

/// Brings changes, from whichever thread made them, to a coroutine that waits to tell a client of them. Equal
/// notifications that wait are one.
class Feed : public std::enable_shared_from_this<Feed> {
 public:
  /// `wanted` is asked on the loop.
  Feed(boost::asio::any_io_executor executor, std::function<bool(const Change&)> wanted);
  ~Feed();

  /// Starts to collect.
  void open(const std::shared_ptr<Observers>& observers);
  /// From now on `next` gives what waits, and then `closed`.
  void finish();

  /// What to say next, or `cancelled`, or `closed`.
  Task<Result<session::Notice>> next();

 private:
  // Changes may come while the loop goes; they must not reach for it then.
  using Door = Guarded<std::optional<boost::asio::any_io_executor>>;

  void push(const Change& change);

  boost::asio::steady_timer timer_;
  std::function<bool(const Change&)> wanted_;
  std::deque<session::Notice> waiting_;
  bool finished_ = false;
  std::shared_ptr<Door> door_;
  ChangeSubscription subscription_;
};

}  // namespace fairlead::server
