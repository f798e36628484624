#include <algorithm>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/protocol/subscription.hpp>
#include <stop_token>
#include <utility>

#include "base/async_event.hpp"
#include "server/change_feed.hpp"
#include "session/coalescing_notifier.hpp"

namespace fairlead::server {
namespace {

using protocol::SubscriptionFilter;

std::optional<bool> if_offered(const std::optional<bool>& requested, bool offered) {
  return requested.value_or(false) && offered ? std::optional(true) : std::nullopt;
}

// The part of the filter that the server will honour: without hidden or missing resources and lists.
SubscriptionFilter accepted(const SubscriptionFilter& requested, const ServerState& server,
                            const std::string& principal) {
  const auto offered = server.capabilities();
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

/// Changes that wait to be sent on one stream. `finished` is set when the peer has closed the session.
struct PendingChanges {
  session::NotificationQueue& queue;
  AsyncEvent& changed;
  const bool& finished;
};

Task<Result<void>> send_changes(session::PeerChannel& channel, const jsonrpc::Id& subscription,
                                PendingChanges pending) {
  while (true) {
    const auto notification = pending.queue.pop();
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

Task<Result<session::Reply>> ServerState::listen(session::Call& call) {
  auto params = json::decode<protocol::SubscriptionsListenParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  auto* channel = call.context.peer;
  if (channel == nullptr || !call.context.id)
    co_return refuse(ProtocolError::invalid_request, "no stream to listen on");
  const auto& principal = call.context.principal;
  const SubscriptionFilter filter = accepted(params->notifications, *this, principal);
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
  bool finished = false;
  const std::stop_callback on_peer_closed(call.context.peer_closed, [&] {
    finished = true;
    changed.notify();
  });

  protocol::SubscriptionsAcknowledgedParams acknowledged;
  acknowledged.notifications = filter;
  auto first = protocol::with_subscription_id(json::to_payload(acknowledged), *call.context.id);
  auto sent = co_await channel->notify(std::string(protocol::SubscriptionsAcknowledged::method), std::move(first));
  const PendingChanges pending{waiting, changed, finished};
  if (sent) sent = co_await send_changes(*channel, *call.context.id, pending);
  if (!sent) co_return std::unexpected(std::move(sent.error()));
  co_return session::Reply{.body = protocol::with_subscription_id({}, *call.context.id)};
}

std::unique_ptr<session::SessionHook> Server::on_session_open(session::SessionRef session) {
  if (session.single_request) return nullptr;
  return std::make_unique<NotificationHook>(*state_, std::move(session));
}

}  // namespace fairlead::server
