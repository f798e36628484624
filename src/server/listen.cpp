#include <algorithm>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/base/start_task.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/protocol/subscription.hpp>
#include <set>
#include <stop_token>
#include <utility>

#include "base/async_event.hpp"
#include "server/change_feed.hpp"
#include "server/tasks/task_watchers.hpp"
#include "session/coalescing_notifier.hpp"

namespace fairlead::server {
namespace {

using protocol::SubscriptionFilter;

std::optional<bool> if_offered(const std::optional<bool>& requested, bool offered) {
  return requested.value_or(false) && offered ? std::optional(true) : std::nullopt;
}

// The part of the filter that the server will honour: without hidden or missing resources and lists.
SubscriptionFilter accepted(const SubscriptionFilter& requested, const ServerState& server, const session::Call& call) {
  const auto& principal = call.context.principal;
  const auto offered = server.capabilities(*call.context.revision);
  SubscriptionFilter filter;
  filter.toolsListChanged = if_offered(requested.toolsListChanged, offered.tools.has_value());
  filter.promptsListChanged = if_offered(requested.promptsListChanged, offered.prompts.has_value());
  filter.resourcesListChanged = if_offered(requested.resourcesListChanged, offered.resources.has_value());
  std::vector<std::string> uris = requested.resourceSubscriptions.value_or(std::vector<std::string>{});
  std::erase_if(uris, [&](const std::string& uri) { return !server.has_resource(uri, principal); });
  if (!uris.empty()) filter.resourceSubscriptions = std::move(uris);
  return filter;
}

bool matches(const SubscriptionFilter& filter, const Change& change) {
  if (change.contents_changed) {
    const auto& uris = filter.resourceSubscriptions;
    return uris && std::ranges::find(*uris, change.name) != uris->end();
  }
  switch (change.kind) {
    case EntryKind::tool: return filter.toolsListChanged.value_or(false);
    case EntryKind::prompt: return filter.promptsListChanged.value_or(false);
    case EntryKind::resource:
    case EntryKind::resource_template: break;
  }
  return filter.resourcesListChanged.value_or(false);
}

/// Stores the preferences of a session and sends it change notifications until it is destroyed.
class NotificationHook final : public session::SessionHook, NonCopyable {
 public:
  NotificationHook(ServerState& server, session::SessionRef session) : server_(server), key_(session.key) {
    server_.session_preferences.open(key_);
    const auto wanted = [&server, key = key_, principal = std::move(session.principal)](const Change& change) {
      return (!change.contents_changed || server.session_preferences.is_subscribed(key, change.name)) &&
             server.is_visible(change, principal);
    };
    auto report = [notifier = session::CoalescingNotifier(session)](session::Notification notice) mutable {
      notifier.notify(std::move(notice));
    };
    feed_ = std::make_shared<ChangeFeed>(session.tasks.executor(), wanted, std::move(report));
    feed_->open(server_.observers);
  }
  ~NotificationHook() override { server_.session_preferences.close(key_); }

 private:
  ServerState& server_;
  std::uint64_t key_;
  std::shared_ptr<ChangeFeed> feed_;
};

/// Tasks whose state waits to be sent on one stream. First all of them: they may have changed since the client's last
/// request.
class ChangedTasks {
 public:
  ChangedTasks(const boost::asio::any_io_executor& executor, TaskStore& store, std::vector<std::string> ids,
               AsyncEvent& changed)
      : waiting_(ids.begin(), ids.end()) {
    for (const auto& id : ids) {
      const auto report = [this, &changed, id] {
        waiting_.insert(id);
        changed.notify();
      };
      watches_.push_back(std::make_unique<TaskWatch>(executor, store, id, report));
    }
  }
  ChangedTasks(const ChangedTasks&) = delete;
  ChangedTasks& operator=(const ChangedTasks&) = delete;

  std::optional<std::string> pop() {
    if (waiting_.empty()) return std::nullopt;
    return std::move(waiting_.extract(waiting_.begin()).value());
  }

 private:
  std::set<std::string> waiting_;
  std::vector<std::unique_ptr<TaskWatch>> watches_;
};

/// Changes that wait to be sent on one stream. `finished` is set when the peer has closed the session.
struct PendingChanges {
  session::NotificationQueue& queue;
  ChangedTasks& tasks;
  AsyncEvent& changed;
  const bool& finished;
};

/// The next notification. The state of a task is read when it is sent, so that a slow client gets the newest only.
Task<std::optional<session::Notification>> next_notification(ServerState& server, const session::RequestContext& caller,
                                                             PendingChanges pending) {
  if (auto waiting = pending.queue.pop()) co_return waiting;
  while (auto id = pending.tasks.pop()) {
    auto record = co_await server.find_task(std::move(*id), caller);
    if (!record) continue;
    session::Notification notice{.method = std::string(protocol::TaskChanged::method)};
    notice.params = json::to_payload(shown_task(*record, server.tasks.options.now()));
    co_return notice;
  }
  co_return std::nullopt;
}

Task<Result<void>> send_changes(ServerState& server, const session::Call& call, PendingChanges pending) {
  auto& channel = *call.context.peer;
  const auto& subscription = *call.context.id;
  while (true) {
    const auto notification = co_await next_notification(server, call.context, pending);
    if (notification) {
      auto body = protocol::with_subscription_id(notification->params, subscription);
      auto sent = co_await channel.notify(notification->method, std::move(body));
      if (!sent) co_return sent;
      continue;
    }
    if (pending.finished) co_return Result<void>();
    co_await pending.changed.wait();
    const auto stop = co_await this_task::stop_token;
    if (stop.stop_requested()) co_return fail(ErrorKind::cancelled, "cancelled");
  }
}

}  // namespace

bool ServerState::is_visible(const Change& change, const std::string& principal) const {
  if (change.contents_changed) return has_resource(change.name, principal);
  return change.name.empty() || is_visible(change.kind, change.name, principal);
}

// The tasks of a filter that exist and belong to the caller.
Task<Result<std::vector<std::string>>> ServerState::own_tasks(std::vector<std::string> ids, const session::Call& call) {
  std::vector<std::string> own;
  if (ids.empty() || !has_tasks(call)) co_return own;
  if (auto declared = require_tasks(call); !declared) co_return std::unexpected(std::move(declared.error()));
  const std::set<std::string> distinct(ids.begin(), ids.end());
  for (const auto& id : distinct) {
    const auto found = co_await find_task(id, call.context);
    if (found) own.push_back(id);
  }
  co_return own;
}

Task<Result<session::Reply>> ServerState::listen(session::Call& call) {
  auto params = json::decode<protocol::SubscriptionsListenParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  auto* channel = call.context.peer;
  if (channel == nullptr || !call.context.id)
    co_return refuse(ProtocolError::invalid_request, "no stream to listen on");
  const auto& principal = call.context.principal;
  auto task_ids = co_await own_tasks(params->notifications.taskIds.value_or(std::vector<std::string>()), call);
  if (!task_ids) co_return std::unexpected(std::move(task_ids.error()));
  SubscriptionFilter filter = accepted(params->notifications, *this, call);
  if (!task_ids->empty()) filter.taskIds = *task_ids;
  AsyncEvent changed(co_await this_task::executor);
  const auto wanted = [this, filter, principal](const Change& change) {
    return matches(filter, change) && is_visible(change, principal);
  };
  session::NotificationQueue waiting;
  const auto report = [&](session::Notification notice) {
    waiting.push(std::move(notice));
    changed.notify();
  };
  const auto feed = std::make_shared<ChangeFeed>(co_await this_task::executor, wanted, report);
  feed->open(observers);
  ChangedTasks changed_tasks(co_await this_task::executor, *tasks.store, std::move(*task_ids), changed);
  bool finished = false;
  const std::stop_callback on_peer_closed(call.context.peer_closed, [&] {
    finished = true;
    changed.notify();
  });

  protocol::SubscriptionsAcknowledgedParams acknowledged;
  acknowledged.notifications = filter;
  auto first = protocol::with_subscription_id(json::to_payload(acknowledged), *call.context.id);
  auto sent = co_await channel->notify(std::string(protocol::SubscriptionsAcknowledged::method), std::move(first));
  const PendingChanges pending{waiting, changed_tasks, changed, finished};
  if (sent) sent = co_await send_changes(*this, call, pending);
  if (!sent) co_return std::unexpected(std::move(sent.error()));
  co_return session::Reply{.body = protocol::with_subscription_id({}, *call.context.id)};
}

std::unique_ptr<session::SessionHook> Server::on_session_open(session::SessionRef session) {
  if (state_->tasks.offered && state_->tasks.take_resumption())
    start(session.tasks.executor(), state_->resume_tasks(), [](const TaskOutcome<void>&) {});
  if (session.single_request) return nullptr;
  return std::make_unique<NotificationHook>(*state_, std::move(session));
}

}  // namespace fairlead::server
