#pragma once

#include <deque>
#include <fairlead/base/event_loop.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "base/async_event.hpp"
#include "gateway/control/tap_filter.hpp"

namespace fairlead::gateway {

/// JSON text of a line, shared by subscribers.
using TapText = std::shared_ptr<const std::string>;

struct TapLimits {
  std::size_t lines = 2000;
  std::size_t bytes = 8UL * 1024 * 1024;
};

/// Bounded queue of one subscriber. Publishers never wait: lines beyond the limits are dropped and counted.
class TapSubscriber {
 public:
  struct QueuedLine {
    TapText text;
    std::size_t lost = 0;  ///< Lines dropped before this one.
  };

  TapSubscriber(TapFilter filter, TapLimits limits, const EventLoop& loop)
      : filter_(std::move(filter)), limits_(limits), event_(loop.executor) {}

  /// Queues a line if it matches. `text` creates its text on demand.
  void offer(const TapLine& line, const std::function<TapText()>& text);

  std::optional<QueuedLine> next();
  /// Lines dropped since the last `next`.
  std::size_t lost() const { return lost_; }
  /// Notified when a line is queued.
  AsyncEvent& event() { return event_; }

 private:
  using PendingKey = std::tuple<std::string, LineKind, std::uint64_t>;  // Endpoint, kind and number.

  static std::optional<PendingKey> started_by(const TapLine& line);
  static std::optional<PendingKey> ended_by(const TapLine& line);
  void hold(PendingKey of, TapText text);
  void push(TapText text);

  TapFilter filter_;
  TapLimits limits_;
  AsyncEvent event_;
  std::deque<QueuedLine> waiting_;
  std::size_t bytes_ = 0;
  std::size_t lost_ = 0;
  std::map<PendingKey, TapText> pending_calls_;  // Pending calls, shown if their end matches.
};

}  // namespace fairlead::gateway
