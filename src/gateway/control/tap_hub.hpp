#pragma once

#include <fairlead/base/event_loop.hpp>

#include "gateway/control/tap_subscriber.hpp"
#include "gateway/record/line_redactor.hpp"

namespace fairlead::gateway {

/// Distributes messages between clients and the gateway to subscribers. On one loop.
class TapHub : public std::enable_shared_from_this<TapHub> {
 public:
  explicit TapHub(EventLoop loop);

  /// The only cost while there are no subscribers.
  bool has_subscribers() const { return !subscribers_.empty(); }

  /// Subscribes until the returned object is destroyed.
  std::shared_ptr<TapSubscriber> subscribe(TapFilter filter, TapLimits limits = {});

  /// Sends a line to all subscribers that match.
  void publish(const TapLine& line, bool is_metadata) const;

  /// Applied to all lines.
  LineRedactor& redactor() { return redactor_; }
  const EventLoop& loop() const { return loop_; }

 private:
  EventLoop loop_;
  LineRedactor redactor_;
  std::vector<TapSubscriber*> subscribers_;
};

}  // namespace fairlead::gateway
