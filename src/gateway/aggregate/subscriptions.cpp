#include <fairlead/base/log.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>

#include "gateway/aggregate/aggregator.hpp"

/// Subscriptions of clients, which outlive the backends.
namespace fairlead::gateway {

Task<Result<Reply>> Aggregator::change_subscription(Call& call) {
  auto wanted = string_member(call.params, "uri");
  if (!wanted && passes_through_single()) co_return co_await pass_through(call);
  if (!wanted) co_return refuse(protocol::ProtocolError::invalid_params, "uri: expected a string");
  Result<Route> route = Route();
  if (passes_through_single()) {
    route->catalog = backends_.all().front();
    route->upstream_name = wanted->name;
  } else {
    route = co_await find_resource(wanted->name);
  }
  if (!route) co_return std::unexpected(std::move(route.error()));
  const auto catalog = route->catalog;
  auto reply = co_await forward(call, std::move(*route), *wanted);
  if (!reply) co_return reply;
  if (call.method == protocol::Subscribe::method) {
    fanout_.add_subscription({call.context.session_key, call.context.principal, wanted->name, call.context.revision},
                             catalog);
  } else {
    fanout_.remove_subscription(call.context.session_key, wanted->name);
  }
  co_return reply;
}

// Renews a subscription at a new backend after a reload.
Task<void> Aggregator::resubscribe(BackendSubscription lost) {
  protocol::ResourceUriParams params;
  params.uri = lost.uri;
  Call call{.method = std::string(protocol::Subscribe::method), .params = json::to_payload(params)};
  call.context.session_key = lost.session_key;
  call.context.principal = lost.principal;
  call.context.revision = lost.revision;
  const auto tracked = co_await change_subscription(call);
  if (tracked) co_return;
  log(backends_.loop().log, LogLevel::warning, "aggregate",
      [&] { return "the subscription of a client to " + lost.uri + " was lost: " + tracked.error().message; });
}

}  // namespace fairlead::gateway
