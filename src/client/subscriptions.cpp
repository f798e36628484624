#include "client/subscriptions.hpp"

#include <algorithm>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <utility>

#include "base/duration.hpp"
#include "client/connection_state.hpp"

namespace fairlead::client {
namespace {

// A stream of notices has no end of its own.
constexpr Duration for_ever = std::chrono::hours{24 * 3650};

protocol::SubscriptionFilter for_resource(const std::string& uri) {
  protocol::SubscriptionFilter filter;
  filter.resourceSubscriptions = {uri};
  return filter;
}

template <class Capability>
bool announces(const std::optional<Capability>& capability) {
  return capability && capability->listChanged.value_or(false);
}

protocol::SubscriptionFilter for_lists(const protocol::ServerCapabilities& offered) {
  protocol::SubscriptionFilter filter;
  if (announces(offered.tools)) filter.toolsListChanged = true;
  if (announces(offered.resources)) filter.resourcesListChanged = true;
  if (announces(offered.prompts)) filter.promptsListChanged = true;
  return filter;
}

bool is_empty(const protocol::SubscriptionFilter& filter) {
  return !filter.toolsListChanged && !filter.resourcesListChanged && !filter.promptsListChanged;
}

bool honours(const protocol::SubscriptionFilter& given, const protocol::SubscriptionFilter& wanted) {
  if (!wanted.resourceSubscriptions) return true;
  const auto& uris = given.resourceSubscriptions;
  return uris && std::ranges::find(*uris, wanted.resourceSubscriptions->front()) != uris->end();
}

}  // namespace

Subscriptions::Subscriptions(ConnectionState& state) : state_(state) {
  state.answers.on_acknowledged = [this](const jsonrpc::Id& id, const protocol::SubscriptionFilter& honoured) {
    acknowledge(id, honoured);
  };
}

Task<Result<void>> Subscriptions::add(std::string uri) {
  auto reached = co_await state_.reach();
  if (!reached) co_return std::unexpected(std::move(reached.error()));
  if (wanted_.contains(uri)) co_return Result<void>();
  auto started = co_await start(std::move(*reached), uri);
  if (!started) wanted_.erase(uri);
  co_return started;
}

Task<Result<void>> Subscriptions::start(std::shared_ptr<Link> link, std::string uri) {
  auto& entry = wanted_[uri];
  if (!state_.server.revision->server_asks) {
    entry = open(std::move(link), for_resource(uri));
    co_return co_await acknowledged(entry, std::move(uri));
  }
  protocol::ResourceUriParams params;
  params.uri = uri;
  auto call = state_.make_call(std::string(protocol::Subscribe::method), json::to_payload(params), CallOptions());
  auto reply = co_await link->session.peer().call(call);
  if (!reply) co_return std::unexpected(std::move(reply.error()));
  co_return Result<void>();
}

// The stream has no end of its own, so that nothing else would end the wait for its first word.
Task<Result<void>> Subscriptions::acknowledged(std::shared_ptr<Open> opened, std::string uri) {
  const auto limit = state_.options.patience.idle;
  const auto until = Deadline::in(limit, state_.loop.timers.clock());
  Result<void> given_up = fail(ErrorKind::cancelled, "cancelled");
  auto taken_up = co_await with_deadline(state_.loop.timers, until, opened->taken_up.wait(std::move(given_up)));
  if (!taken_up && taken_up.error().kind == ErrorKind::timeout) {
    taken_up.error().message = "did not acknowledge the subscription to " + uri + " within " + write_duration(limit) +
                               ": it was given up, and no changes will be told";
    opened->task.cancel();
  }
  co_return taken_up;
}

Task<Result<void>> Subscriptions::remove(std::string uri) {
  const auto found = wanted_.find(uri);
  if (found == wanted_.end()) co_return Result<void>();
  const auto entry = found->second;
  wanted_.erase(found);
  if (entry) {
    entry->task.cancel();
    co_return Result<void>();
  }
  protocol::ResourceUriParams params;
  params.uri = std::move(uri);
  auto told =
      co_await state_.request(std::string(protocol::Unsubscribe::method), json::to_payload(params), CallOptions());
  if (!told) co_return std::unexpected(std::move(told.error()));
  co_return Result<void>();
}

void Subscriptions::renew(const std::shared_ptr<Link>& link) {
  const bool streams = !state_.server.revision->server_asks;
  const bool wants_lists = state_.options.on_list_changed || state_.options.answering;
  if (const auto lists = for_lists(state_.server.capabilities); streams && wants_lists && !is_empty(lists)) {
    open(link, lists);
  }
  for (const auto& [uri, entry] : wanted_) {
    state_.scope.spawn(renew_one(state_.shared_from_this(), link, uri));
  }
}

Task<void> Subscriptions::renew_one(std::shared_ptr<ConnectionState> state, std::shared_ptr<Link> link,
                                    std::string uri) {
  const auto started = co_await start(std::move(link), uri);
  if (started) co_return;
  log(state->loop.log, LogLevel::warning, "client",
      [&] { return "the subscription to " + uri + " was lost: " + started.error().message; });
}

std::shared_ptr<Subscriptions::Open> Subscriptions::open(std::shared_ptr<Link> link,
                                                         protocol::SubscriptionFilter filter) {
  auto entry = std::make_shared<Open>();
  entry->filter = std::move(filter);
  entry->task = state_.scope.spawn(listen(state_.shared_from_this(), std::move(link), entry));
  if (!entry->task) entry->taken_up.set(fail(ErrorKind::closed, "the connection was closed"));
  return entry;
}

// Holds the state, whose part this is, until the end.
Task<void> Subscriptions::listen(std::shared_ptr<ConnectionState>, std::shared_ptr<Link> link,
                                 std::shared_ptr<Open> entry) {
  open_.push_back(entry);
  protocol::SubscriptionsListenParams params;
  params.notifications = entry->filter;
  session::Call call{.method = std::string(protocol::Listen::method),
                     .params = json::to_payload(params),
                     .patience = {.idle = for_ever, .cap = for_ever},
                     .on_sent = [entry](const jsonrpc::Id& id) { entry->id = id; }};
  auto reply = co_await link->session.peer().call(call);
  std::erase(open_, entry);
  if (!reply) {
    entry->taken_up.set(std::unexpected(std::move(reply.error())));
  } else {
    entry->taken_up.set(fail(ErrorKind::refused, "the server ended the subscription"));
  }
}

void Subscriptions::acknowledge(const jsonrpc::Id& id, const protocol::SubscriptionFilter& honoured) {
  const auto found = std::ranges::find_if(open_, [&](const auto& entry) { return entry->id == id; });
  if (found == open_.end()) return;
  const auto entry = *found;
  if (honours(honoured, entry->filter)) {
    entry->taken_up.set({});
  } else {
    entry->taken_up.set(fail(ErrorKind::refused, "the server knows no such resource to follow"));
    entry->task.cancel();
  }
}

}  // namespace fairlead::client
