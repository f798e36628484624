#include "client/subscriptions.hpp"

#include <algorithm>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/base/with_deadline.hpp>

#include "base/duration.hpp"
#include "client/connection_state.hpp"

namespace fairlead::client {
namespace {

// subscriptions/listen does not time out.
constexpr Duration no_timeout = std::chrono::hours{24 * 3650};

protocol::SubscriptionFilter for_resource(const std::string& uri) {
  protocol::SubscriptionFilter filter;
  filter.resourceSubscriptions = {uri};
  return filter;
}

template <class Capability>
bool reports_changes(const std::optional<Capability>& capability) {
  return capability && capability->listChanged.value_or(false);
}

protocol::SubscriptionFilter for_lists(const protocol::ServerCapabilities& offered) {
  protocol::SubscriptionFilter filter;
  if (reports_changes(offered.tools)) filter.toolsListChanged = true;
  if (reports_changes(offered.resources)) filter.resourcesListChanged = true;
  if (reports_changes(offered.prompts)) filter.promptsListChanged = true;
  return filter;
}

bool is_empty(const protocol::SubscriptionFilter& filter) {
  return !filter.toolsListChanged && !filter.resourcesListChanged && !filter.promptsListChanged;
}

// With a result, for the deadline helper.
Task<Result<void>> wait_for(Promise<Result<void>>& acknowledged) {
  auto result = co_await acknowledged.wait();
  if (!result) co_return fail(ErrorKind::cancelled, "cancelled");
  co_return std::move(*result);
}

bool covers(const protocol::SubscriptionFilter& given, const protocol::SubscriptionFilter& wanted) {
  if (!wanted.resourceSubscriptions) return true;
  const auto& uris = given.resourceSubscriptions;
  return uris && std::ranges::find(*uris, wanted.resourceSubscriptions->front()) != uris->end();
}

}  // namespace

Subscriptions::Subscriptions(ConnectionState& state) : state_(state) {
  state.request_handler.on_acknowledged = [this](const jsonrpc::Id& id, const protocol::SubscriptionFilter& honoured) {
    acknowledge(id, honoured);
  };
}

Task<Result<void>> Subscriptions::add(std::string uri) {
  auto connected = co_await state_.ensure_connected();
  if (!connected) co_return std::unexpected(std::move(connected.error()));
  if (subscribed_.contains(uri)) co_return Result<void>();
  auto started = co_await start(std::move(*connected), uri);
  if (!started) subscribed_.erase(uri);
  co_return started;
}

Task<Result<void>> Subscriptions::start(std::shared_ptr<ActiveSession> active, std::string uri) {
  auto& entry = subscribed_[uri];
  if (!state_.server.revision->server_initiated_requests) {
    entry = start_listening(std::move(active), for_resource(uri));
    co_return co_await wait_acknowledged(entry, std::move(uri));
  }
  protocol::ResourceUriParams params;
  params.uri = uri;
  auto call = state_.make_call(std::string(protocol::Subscribe::method), json::to_payload(params), CallOptions());
  auto reply = co_await active->session.peer().call(call);
  if (!reply) co_return std::unexpected(std::move(reply.error()));
  co_return Result<void>();
}

// The listen request itself has no timeout, so the acknowledgement needs one.
Task<Result<void>> Subscriptions::wait_acknowledged(std::shared_ptr<ListenRequest> opened, std::string uri) {
  const auto limit = state_.options.timeouts.idle;
  const auto until = Deadline::in(limit, state_.loop.timers.clock());
  auto acknowledged = co_await with_deadline(state_.loop.timers, until, wait_for(opened->acknowledged));
  if (!acknowledged && acknowledged.error().kind == ErrorKind::timeout) {
    acknowledged.error().message = "did not acknowledge the subscription to " + uri + " within " +
                                   write_duration(limit) + "; the subscription was cancelled";
    opened->task.cancel();
  }
  co_return acknowledged;
}

Task<Result<void>> Subscriptions::remove(std::string uri) {
  const auto found = subscribed_.find(uri);
  if (found == subscribed_.end()) co_return Result<void>();
  const auto entry = found->second;
  subscribed_.erase(found);
  if (entry) {
    entry->task.cancel();
    co_return Result<void>();
  }
  protocol::ResourceUriParams params;
  params.uri = std::move(uri);
  auto sent =
      co_await state_.request(std::string(protocol::Unsubscribe::method), json::to_payload(params), CallOptions());
  if (!sent) co_return std::unexpected(std::move(sent.error()));
  co_return Result<void>();
}

void Subscriptions::resubscribe(const std::shared_ptr<ActiveSession>& active) {
  const bool streams = !state_.server.revision->server_initiated_requests;
  const bool wants_lists = state_.options.on_list_changed || state_.options.incoming_service;
  if (const auto lists = for_lists(state_.server.capabilities); streams && wants_lists && !is_empty(lists)) {
    start_listening(active, lists);
  }
  for (const auto& [uri, entry] : subscribed_) {
    state_.scope.spawn(resubscribe_one(state_.shared_from_this(), active, uri));
  }
}

Task<void> Subscriptions::resubscribe_one(std::shared_ptr<ConnectionState> state, std::shared_ptr<ActiveSession> active,
                                          std::string uri) {
  const auto started = co_await start(std::move(active), uri);
  if (started) co_return;
  log(state->loop.log, LogLevel::warning, "client",
      [&] { return "the subscription to " + uri + " could not be renewed: " + started.error().message; });
}

std::shared_ptr<Subscriptions::ListenRequest> Subscriptions::start_listening(std::shared_ptr<ActiveSession> active,
                                                                             protocol::SubscriptionFilter filter) {
  auto entry = std::make_shared<ListenRequest>();
  entry->filter = std::move(filter);
  entry->task = state_.scope.spawn(listen(state_.shared_from_this(), std::move(active), entry));
  if (!entry->task) entry->acknowledged.set(fail(ErrorKind::closed, "the connection was closed"));
  return entry;
}

// `state` keeps the owner of this object alive.
Task<void> Subscriptions::listen(std::shared_ptr<ConnectionState>, std::shared_ptr<ActiveSession> active,
                                 std::shared_ptr<ListenRequest> entry) {
  listening_.push_back(entry);
  protocol::SubscriptionsListenParams params;
  params.notifications = entry->filter;
  session::Call call{.method = std::string(protocol::Listen::method),
                     .params = json::to_payload(params),
                     .timeouts = {.idle = no_timeout, .total = no_timeout},
                     .on_sent = [entry](const jsonrpc::Id& id) { entry->id = id; }};
  auto reply = co_await active->session.peer().call(call);
  std::erase(listening_, entry);
  if (!reply) {
    entry->acknowledged.set(std::unexpected(std::move(reply.error())));
  } else {
    entry->acknowledged.set(fail(ErrorKind::refused, "the server ended the subscription"));
  }
}

void Subscriptions::acknowledge(const jsonrpc::Id& id, const protocol::SubscriptionFilter& honoured) {
  const auto found = std::ranges::find_if(listening_, [&](const auto& entry) { return entry->id == id; });
  if (found == listening_.end()) return;
  // set() may remove the entry. NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
  const auto entry = *found;
  if (covers(honoured, entry->filter)) {
    entry->acknowledged.set({});
  } else {
    auto task = entry->task;
    entry->acknowledged.set(fail(ErrorKind::refused, "the server did not accept the subscription"));
    task.cancel();
  }
}

}  // namespace fairlead::client
