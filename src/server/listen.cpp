#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/protocol/subscription.hpp>
#include <stop_token>
#include <utility>

#include "base/bell.hpp"
#include "server/feed.hpp"

namespace fairlead::server {
namespace {

using protocol::SubscriptionFilter;

std::optional<bool> both(const std::optional<bool>& asked, bool offered) {
  return asked.value_or(false) && offered ? std::optional(true) : std::nullopt;
}

// What was asked for and will be kept: nobody is promised news of what does not exist for them.
SubscriptionFilter honoured(const SubscriptionFilter& asked, const ServerState& server, const std::string& principal) {
  const auto offered = server.capabilities();
  SubscriptionFilter filter;
  filter.toolsListChanged = both(asked.toolsListChanged, offered.tools.has_value());
  filter.promptsListChanged = both(asked.promptsListChanged, offered.prompts.has_value());
  filter.resourcesListChanged = both(asked.resourcesListChanged, offered.resources.has_value());
  std::vector<std::string> uris = asked.resourceSubscriptions.value_or(std::vector<std::string>{});
  std::erase_if(uris, [&](const std::string& uri) { return !server.has_resource(uri, principal); });
  if (!uris.empty()) filter.resourceSubscriptions = std::move(uris);
  return filter;
}

bool wants(const SubscriptionFilter& filter, const Change& change) {
  if (change.contents) {
    const auto& uris = filter.resourceSubscriptions;
    return uris && std::ranges::find(*uris, change.name) != uris->end();
  }
  switch (change.kind) {
    case Kind::tool: return filter.toolsListChanged.value_or(false);
    case Kind::prompt: return filter.promptsListChanged.value_or(false);
    case Kind::resource:
    case Kind::resource_template: break;
  }
  return filter.resourcesListChanged.value_or(false);
}

/// What waits to be told to a peer. Shared with the task that tells it.
struct News {
  session::PeerHandle peer;
  std::shared_ptr<Feed> feed = {};
  bool telling = false;
};

Task<void> tell_all(std::shared_ptr<News> news) {
  // Changes come in flocks: those that are equal are told once.
  co_await boost::asio::post(co_await boost::asio::this_coro::executor, boost::asio::use_awaitable);
  while (auto notice = news->feed->take()) co_await news->peer->notify(*notice);
  news->telling = false;
}

/// Has the server remember a conversation, and tell its peer of changes, for as long as it lasts.
class Attending final : public session::Attendance {
 public:
  Attending(ServerState& server, session::Conversation conversation)
      : server_(server), key_(conversation.key), news_(std::make_shared<News>(News{.peer = conversation.peer})) {
    server_.memories.open(key_);
    const auto wanted = [&server, key = key_, principal = std::move(conversation.principal)](const Change& change) {
      return (!change.contents || server.memories.is_subscribed(key, change.name)) && server.shows(change, principal);
    };
    const auto ready = [news = std::weak_ptr(news_), &tasks = conversation.tasks] {
      const auto now = news.lock();
      if (now && !std::exchange(now->telling, true)) tasks.spawn(tell_all(now));
    };
    news_->feed = std::make_shared<Feed>(conversation.executor, wanted, ready);
    news_->feed->open(server_.observers);
  }
  Attending(const Attending&) = delete;
  Attending& operator=(const Attending&) = delete;
  ~Attending() override { server_.memories.close(key_); }

 private:
  ServerState& server_;
  std::uint64_t key_;
  std::shared_ptr<News> news_;
};

}  // namespace

bool ServerState::shows(const Change& change, const std::string& principal) const {
  if (change.contents) return has_resource(change.name, principal);
  return change.name.empty() || shows(change.kind, change.name, principal);
}

Task<Result<session::Reply>> ServerState::listen(session::Call& call) {
  auto params = json::decode<protocol::SubscriptionsListenParams>(call.params);
  if (!params) co_return refuse(Fault::invalid_params, params.error().message);
  auto* back = call.context.back;
  if (back == nullptr || !call.context.id) co_return refuse(Fault::invalid_request, "there is no stream to listen on");
  const auto& principal = call.context.principal;
  const SubscriptionFilter filter = honoured(params->notifications, *this, principal);
  Bell bell(co_await boost::asio::this_coro::executor);
  const auto wanted = [this, filter, principal](const Change& change) {
    return wants(filter, change) && shows(change, principal);
  };
  const auto feed = std::make_shared<Feed>(co_await boost::asio::this_coro::executor, wanted, [&bell] { bell.ring(); });
  feed->open(observers);
  bool finished = false;
  const std::stop_callback at_the_end(call.context.over, [&] {
    finished = true;
    bell.ring();
  });

  protocol::SubscriptionsAcknowledgedParams acknowledged;
  acknowledged.notifications = filter;
  auto first = protocol::mark_subscription(json::to_payload(acknowledged), *call.context.id);
  auto told = co_await back->tell(std::string(protocol::SubscriptionsAcknowledged::method), std::move(first));
  while (told) {
    const auto notice = feed->take();
    if (!notice) {
      if (finished) break;
      co_await bell.wait();
      const auto state = co_await boost::asio::this_coro::cancellation_state;
      if (state.cancelled() != boost::asio::cancellation_type::none) co_return fail(ErrorKind::cancelled, "cancelled");
      continue;
    }
    auto body = protocol::mark_subscription(notice->params, *call.context.id);
    told = co_await back->tell(notice->method, std::move(body));
  }
  if (!told) co_return std::unexpected(std::move(told.error()));
  co_return session::Reply{.body = protocol::mark_subscription({}, *call.context.id)};
}

std::unique_ptr<session::Attendance> Server::attend(session::Conversation conversation) {
  return std::make_unique<Attending>(*state_, std::move(conversation));
}

}  // namespace fairlead::server
