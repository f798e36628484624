#pragma once

#include <cstddef>
#include <fairlead/session/service.hpp>
#include <limits>
#include <list>

namespace fairlead::session {

/// Notifications that wait to be sent to one peer. Merges equal ones, except log messages. Used on one event loop.
class NotificationQueue {
 public:
  explicit NotificationQueue(std::size_t max = std::numeric_limits<std::size_t>::max()) : max_(max) {}

  /// Drops the notification if an equal one waits or the queue is full.
  void push(Notification notice);
  /// Removes and returns the next notification, if any.
  std::optional<Notification> pop();

 private:
  std::size_t max_;
  std::list<Notification> waiting_;  // Not a deque, which allocates when empty: most sessions are idle.
};

/// When a notifier sends the first notification of a burst.
enum class BurstStart : std::uint8_t {
  at_once,
  next_iteration,  ///< Of the event loop, so that equal changes made together are sent once.
};

/// Sends notifications to the peer of one session, one after the other, in the tasks of the session; merges equal ones
/// that wait meanwhile. May be destroyed while its task still sends.
class CoalescingNotifier {
 public:
  explicit CoalescingNotifier(const SessionRef& session, BurstStart start = BurstStart::next_iteration,
                              NotificationQueue queue = NotificationQueue());

  void notify(Notification notice);

 private:
  struct Sender;
  static Task<void> send_all(std::shared_ptr<Sender> sender);

  std::shared_ptr<Sender> sender_;
  TaskScope& tasks_;
};

}  // namespace fairlead::session
