#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <stop_token>
#include <utility>

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

// Everything on a subscription's stream says whose it is, in the JSON type of the request's id.
json::Payload marked(const json::Payload& params, const jsonrpc::Id& id) {
  json::ObjectEdit whole(params.text());
  json::ObjectEdit meta(whole.get("_meta"));
  meta.set(protocol::meta::subscription_id, id.to_json());
  whole.set("_meta", meta.text());
  return json::Payload::trusted(whole.text());
}

/// Has the server remember a conversation for as long as it is attended.
class Remembering {
 public:
  Remembering(Memories& memories, std::uint64_t conversation) : memories_(memories), conversation_(conversation) {
    memories_.open(conversation_);
  }
  Remembering(const Remembering&) = delete;
  Remembering& operator=(const Remembering&) = delete;
  ~Remembering() { memories_.close(conversation_); }

 private:
  Memories& memories_;
  std::uint64_t conversation_;
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
  const auto executor = co_await boost::asio::this_coro::executor;
  const auto feed = std::make_shared<Feed>(executor, [this, filter, principal](const Change& change) {
    return wants(filter, change) && shows(change, principal);
  });
  feed->open(observers);
  const std::stop_callback at_the_end(call.context.over, [&feed] { feed->finish(); });

  protocol::SubscriptionsAcknowledgedParams acknowledged;
  acknowledged.notifications = filter;
  auto first = marked(json::to_payload(acknowledged), *call.context.id);
  auto told = co_await back->tell(std::string(protocol::SubscriptionsAcknowledged::method), std::move(first));
  while (told) {
    auto notice = co_await feed->next();
    if (!notice && notice.error().kind == ErrorKind::closed) break;
    if (!notice) co_return std::unexpected(std::move(notice.error()));
    auto body = marked(notice->params, *call.context.id);
    told = co_await back->tell(notice->method, std::move(body));
  }
  if (!told) co_return std::unexpected(std::move(told.error()));
  co_return session::Reply{.body = marked({}, *call.context.id)};
}

Task<void> Server::attend(session::Conversation conversation) {
  const Remembering remembering(state_->memories, conversation.key);
  const auto wanted = [this, key = conversation.key, principal = conversation.principal](const Change& change) {
    if (change.contents && !state_->memories.is_subscribed(key, change.name)) return false;
    return state_->shows(change, principal);
  };
  const auto executor = co_await boost::asio::this_coro::executor;
  const auto feed = std::make_shared<Feed>(executor, wanted);
  feed->open(state_->observers);
  while (auto notice = co_await feed->next()) co_await conversation.peer.notify(*notice);
}

}  // namespace fairlead::server
