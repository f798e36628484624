#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <fairlead/base/guarded.hpp>
#include <functional>
#include <list>
#include <memory>
#include <optional>

#include "server/server_state.hpp"

namespace fairlead::server {

/// Brings changes, from whichever thread made them, to the loop of a client that is to be told of them. Equal
/// notifications that wait are one.
class Feed : public std::enable_shared_from_this<Feed> {
 public:
  /// `wanted` is asked, and `ready` called when there is something to take, on the loop.
  Feed(boost::asio::any_io_executor executor, std::function<bool(const Change&)> wanted, std::function<void()> ready);
  ~Feed();

  /// Starts to collect.
  void open(const std::shared_ptr<Observers>& observers);

  /// What to say next, if there is anything.
  std::optional<session::Notice> take();

 private:
  // Changes may come while the loop goes; they must not reach for it then.
  using Door = Guarded<std::optional<boost::asio::any_io_executor>>;

  void push(const Change& change);

  std::function<bool(const Change&)> wanted_;
  std::function<void()> ready_;
  std::list<session::Notice> waiting_;
  std::shared_ptr<Door> door_;
  ChangeSubscription subscription_;
};

}  // namespace fairlead::server
