#include "gateway/era/subscription_stream.hpp"

#include <algorithm>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/protocol/subscription.hpp>
#include <stop_token>
#include <utility>

#include "base/async_event.hpp"
#include "gateway/middleware/async_sleep.hpp"
#include "gateway/model/list_kind.hpp"
#include "gateway/model/task_extension.hpp"
#include "protocol/required_capability.hpp"

namespace fairlead::gateway {
namespace {

using protocol::ProtocolError;
using protocol::SubscriptionFilter;
using session::Call;
using session::Reply;

constexpr std::size_t max_watched_tasks = 256;

/// The client's end of a subscription stream: accepts notifications only.
class SubscriptionStream final : public session::Service {
 public:
  SubscriptionStream(Call& call, SubscriptionFilter filter) : call_(call), filter_(std::move(filter)) {}

  Task<Result<Reply>> call(Call& request) override {
    co_return refuse(ProtocolError::unknown_method, "a subscription stream accepts notifications only", request.method);
  }

  Task<void> notify(session::Notification& notice) override {
    if (!wants(notice)) co_return;
    auto params = protocol::with_subscription_id(notice.params, *call_.context.id);
    co_await call_.context.peer->notify(notice.method, std::move(params));
  }

 private:
  bool wants(const session::Notification& notice) const {
    const auto is = [&](const auto method) { return notice.method == method; };
    if (is(protocol::TaskChanged::method)) return true;
    if (is(protocol::ToolListChanged::method)) return filter_.toolsListChanged.value_or(false);
    if (is(protocol::PromptListChanged::method)) return filter_.promptsListChanged.value_or(false);
    if (is(protocol::ResourceListChanged::method)) return filter_.resourcesListChanged.value_or(false);
    // The chain reports subscribed resources only.
    return is(protocol::ResourceUpdated::method);
  }

  Call& call_;
  SubscriptionFilter filter_;
};

std::optional<bool> both(const std::optional<bool>& requested, bool offered) {
  return requested.value_or(false) && offered ? std::optional(true) : std::nullopt;
}

SubscriptionFilter list_filter(const SubscriptionFilter& requested, const protocol::ServerCapabilities& offered) {
  SubscriptionFilter filter;
  filter.toolsListChanged = both(requested.toolsListChanged, announces_changes(ListKind::tools, offered));
  filter.promptsListChanged = both(requested.promptsListChanged, announces_changes(ListKind::prompts, offered));
  filter.resourcesListChanged = both(requested.resourcesListChanged, announces_changes(ListKind::resources, offered));
  return filter;
}

Task<Result<Reply>> call_for_resource(session::Service& next, const Call& subscription, std::uint64_t key,
                                      std::string_view method, std::string uri) {
  protocol::ResourceUriParams params;
  params.uri = std::move(uri);
  Call call{.method = std::string(method), .params = json::to_payload(params), .context = subscription.context};
  call.context.session_key = key;
  call.context.peer = nullptr;
  co_return co_await next.call(call);
}

/// State of one open stream.
struct SubscriptionSession {
  EventLoop loop;
  Call& call;
  session::Service& next;
  SubscriptionFilter requested;
  SubscriptionFilter filter;
  std::uint64_t key = session::new_session_key();
  // Both outlive the tasks that send notifications: these may be running when the client disconnects.
  std::optional<SubscriptionStream> stream = {};
  std::unique_ptr<session::SessionHook> hook = {};  ///< Ends the subscriptions.
};

Task<void> subscribe_resources(SubscriptionSession& subscription) {
  std::vector<std::string> subscribed_uris;
  for (const auto& uri : subscription.requested.resourceSubscriptions.value_or(std::vector<std::string>())) {
    auto subscribed = co_await call_for_resource(subscription.next, subscription.call, subscription.key,
                                                 protocol::Subscribe::method, uri);
    if (subscribed) subscribed_uris.push_back(uri);
  }
  if (!subscribed_uris.empty()) subscription.filter.resourceSubscriptions = std::move(subscribed_uris);
}

/// A task that a stream reports, as it was last seen.
struct WatchedTask {
  std::string handle;
  json::Payload shown;
};

Task<Result<Reply>> get_task(const SubscriptionSession& subscription, std::string handle) {
  Call call{.method = std::string(protocol::GetTask::method),
            .params = json::to_payload(protocol::TaskIdParams{.taskId = std::move(handle)}),
            .context = subscription.call.context};
  call.context.peer = nullptr;
  co_return co_await subscription.next.call(call);
}

// The tasks that exist and belong to the caller.
Task<std::vector<WatchedTask>> accept_tasks(SubscriptionSession& subscription) {
  std::vector<WatchedTask> accepted;
  std::vector<std::string> handles;
  for (const auto& handle : subscription.requested.taskIds.value_or(std::vector<std::string>())) {
    if (handles.size() == max_watched_tasks) break;
    auto task = co_await get_task(subscription, handle);
    if (!task) continue;
    handles.push_back(handle);
    accepted.push_back({.handle = handle, .shown = std::move(task->body)});
  }
  if (!handles.empty()) subscription.filter.taskIds = std::move(handles);
  co_return accepted;
}

bool is_conclusive(const json::Payload& task) {
  const auto status = json::member_of(task, "status");
  return status != R"("working")" && status != R"("input_required")";
}

Duration poll_interval(const json::Payload& task) {
  using std::chrono::milliseconds;
  const auto given = json::decode<std::int64_t>(json::member_of(task, "pollIntervalMs"));
  return std::clamp(milliseconds(given.value_or(1000)), milliseconds(100), milliseconds(60'000));
}

// Asks the server again and again, in the way of the client: so the rules of the chain apply to each report, and tasks
// of every server can be watched.
Task<void> watch_task(SubscriptionSession& subscription, WatchedTask task) {
  while (true) {
    session::Notification notice{.method = std::string(protocol::TaskChanged::method), .params = task.shown};
    co_await subscription.stream->notify(notice);
    auto shown = task.shown;
    while (shown.text() == task.shown.text()) {
      if (is_conclusive(task.shown) || !co_await async_sleep(subscription.loop.timers, poll_interval(task.shown)))
        co_return;
      auto next = co_await get_task(subscription, task.handle);
      const bool is_gone = !next && next.error().kind == ErrorKind::refused;
      if (is_gone) co_return;
      if (next) shown = std::move(next->body);
    }
    task.shown = std::move(shown);
  }
}

Task<void> wait_until_closed(SubscriptionSession& subscription) {
  AsyncEvent bell(subscription.loop.executor);
  bool over = false;
  const std::stop_callback at_the_end(subscription.call.context.peer_closed, [&] {
    over = true;
    bell.notify();
  });
  // A cancellation ends the wait too; the next wait throws.
  while (!over) co_await bell.wait();
}

Task<void> serve(SubscriptionSession& subscription, TaskScope& tasks) {
  subscription.stream.emplace(subscription.call, subscription.filter);
  subscription.hook = subscription.next.on_session_open({.key = subscription.key,
                                                         .principal = subscription.call.context.principal,
                                                         .peer = *subscription.stream,
                                                         .tasks = tasks,
                                                         .notifications_only = true});
  co_await subscribe_resources(subscription);
  auto watched = co_await accept_tasks(subscription);
  protocol::SubscriptionsAcknowledgedParams acknowledged;
  acknowledged.notifications = subscription.filter;
  auto first = protocol::with_subscription_id(json::to_payload(acknowledged), *subscription.call.context.id);
  auto sent = co_await subscription.call.context.peer->notify(std::string(protocol::SubscriptionsAcknowledged::method),
                                                              std::move(first));
  for (auto& task : watched) {
    if (sent) tasks.spawn(watch_task(subscription, std::move(task)));
  }
  if (sent) co_await wait_until_closed(subscription);
  tasks.cancel();
}

}  // namespace

Task<Result<Reply>> serve_subscription_stream(EventLoop loop, Call& call, session::Service& next) {
  auto params = json::decode<protocol::SubscriptionsListenParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  if (call.context.peer == nullptr || !call.context.id) {
    co_return refuse(ProtocolError::invalid_request, "subscriptions/listen needs a response stream and an id");
  }
  if (params->notifications.taskIds && !accepts_tasks(call.context)) {
    co_return std::unexpected(protocol::undeclared_extension(protocol::extension::tasks));
  }
  Call discover{.method = std::string(protocol::Discover::method), .context = call.context};
  auto found = co_await next.call(discover);
  if (!found) co_return std::unexpected(std::move(found.error()));
  auto server = json::decode<protocol::DiscoverResult>(found->body);
  if (!server) co_return std::unexpected(std::move(server.error()));
  SubscriptionSession subscription{
      .loop = loop, .call = call, .next = next, .requested = std::move(params->notifications), .filter = {}};
  subscription.filter = list_filter(subscription.requested, server->capabilities);
  co_await with_scope(loop.log, "listen", [&subscription](TaskScope& tasks) { return serve(subscription, tasks); });
  co_return Reply{.body = protocol::with_subscription_id({}, *call.context.id)};
}

}  // namespace fairlead::gateway
