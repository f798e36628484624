#include "session/coalescing_notifier.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/protocol/model/methods.hpp>

#include "base/scope_exit.hpp"

namespace fairlead::session {

void NotificationQueue::push(Notification notice) {
  const auto is_equal = [&](const Notification& other) {
    return notice.method == other.method && notice.params.text() == other.params.text();
  };
  const bool merges = notice.method != protocol::LoggingMessage::method;
  if (waiting_.size() >= max_ || (merges && std::ranges::any_of(waiting_, is_equal))) return;
  waiting_.push_back(std::move(notice));
}

std::optional<Notification> NotificationQueue::pop() {
  if (waiting_.empty()) return std::nullopt;
  std::optional next(std::move(waiting_.front()));
  waiting_.pop_front();
  return next;
}

/// Shared with the task that sends.
struct CoalescingNotifier::Sender {
  PeerHandle peer;
  BurstStart start;
  NotificationQueue queue;
  bool sending = false;
};

CoalescingNotifier::CoalescingNotifier(const SessionRef& session, BurstStart start, NotificationQueue queue)
    : sender_(std::make_shared<Sender>(Sender{.peer = session.peer, .start = start, .queue = std::move(queue)})),
      tasks_(session.tasks) {}

void CoalescingNotifier::notify(Notification notice) {
  sender_->queue.push(std::move(notice));
  if (!std::exchange(sender_->sending, true)) tasks_.spawn(send_all(sender_));
}

Task<void> CoalescingNotifier::send_all(std::shared_ptr<Sender> sender) {
  // Reset however this task ends, so that the next notification starts a new one.
  const ScopeExit stop_sending([&] { sender->sending = false; });
  if (sender->start == BurstStart::next_iteration) {
    co_await boost::asio::post(co_await this_task::executor, use_task);
  }
  while (auto notice = sender->queue.pop()) co_await sender->peer->notify(*notice);
}

}  // namespace fairlead::session
