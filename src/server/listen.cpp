#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <utility>

#include "server/feed.hpp"

namespace fairlead::server {
namespace {

using protocol::SubscriptionFilter;

std::optional<bool> both(const std::optional<bool>& asked, bool offered) {
  return asked.value_or(false) && offered ? std::optional(true) : std::nullopt;
}

SubscriptionFilter honoured(const SubscriptionFilter& asked, const protocol::ServerCapabilities& offered) {
  SubscriptionFilter filter;
  filter.toolsListChanged = both(asked.toolsListChanged, offered.tools.has_value());
  filter.promptsListChanged = both(asked.promptsListChanged, offered.prompts.has_value());
  filter.resourcesListChanged = both(asked.resourcesListChanged, offered.resources.has_value());
  if (offered.resources) filter.resourceSubscriptions = asked.resourceSubscriptions;
  return filter;
}

bool wants(const SubscriptionFilter& filter, const Change& change) {
  switch (change.what) {
    case Change::What::tools: return filter.toolsListChanged.value_or(false);
    case Change::What::resources: return filter.resourcesListChanged.value_or(false);
    case Change::What::prompts: return filter.promptsListChanged.value_or(false);
    case Change::What::resource_updated: break;
  }
  const auto& uris = filter.resourceSubscriptions;
  return uris && std::ranges::find(*uris, change.uri) != uris->end();
}

// Everything on a subscription's stream says whose it is, in the JSON type of the request's id.
json::Payload marked(const json::Payload& params, const jsonrpc::Id& id) {
  json::ObjectEdit whole(params.text());
  json::ObjectEdit meta(whole.get("_meta"));
  meta.set(protocol::meta::subscription_id, id.to_json());
  whole.set("_meta", meta.text());
  return json::Payload::trusted(whole.text());
}

}  // namespace

Task<Result<session::Reply>> ServerState::listen(session::Call& call) {
  auto params = json::decode<protocol::SubscriptionsListenParams>(call.params);
  if (!params) co_return refuse(Fault::invalid_params, params.error().message);
  auto* back = call.context.back;
  if (back == nullptr || !call.context.id) co_return refuse(Fault::invalid_request, "there is no stream to listen on");
  const SubscriptionFilter filter = honoured(params->notifications, capabilities());
  const auto executor = co_await boost::asio::this_coro::executor;
  const auto feed = std::make_shared<Feed>(executor, [filter](const Change& change) { return wants(filter, change); });
  const auto subscription = feed->open(observers);

  protocol::SubscriptionsAcknowledgedParams acknowledged;
  acknowledged.notifications = filter;
  auto first = marked(json::to_payload(acknowledged), *call.context.id);
  auto told = co_await back->tell(std::string(protocol::SubscriptionsAcknowledged::method), std::move(first));
  while (told) {
    auto change = co_await feed->next();
    if (!change) co_return std::unexpected(std::move(change.error()));
    auto notice = notice_of(*change);
    auto body = marked(notice.params, *call.context.id);
    told = co_await back->tell(notice.method, std::move(body));
  }
  co_return std::unexpected(std::move(told.error()));
}

Task<void> Server::attend(session::Conversation conversation) {
  const auto wanted = [this, principal = conversation.principal](const Change& change) {
    return change.what != Change::What::resource_updated || is_subscribed(principal, change.uri);
  };
  const auto executor = co_await boost::asio::this_coro::executor;
  const auto feed = std::make_shared<Feed>(executor, wanted);
  const auto subscription = feed->open(state_->observers);
  while (auto change = co_await feed->next()) {
    auto notice = notice_of(*change);
    co_await conversation.peer.notify(notice);
  }
}

}  // namespace fairlead::server
