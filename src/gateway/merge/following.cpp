#include <fairlead/base/log.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "gateway/merge/merge.hpp"

/// Resources that clients follow, which outlive the servers that have them.
namespace fairlead::gateway {

using session::Call;
using session::Reply;

Task<Result<Reply>> Merge::follow(Call& call) {
  auto wanted = named_by(call.params, "uri");
  if (!wanted && is_alone()) co_return co_await pass_through(call);
  if (!wanted) co_return refuse(protocol::Fault::invalid_params, "uri: expected a string");
  Result<Route> route = Route();
  if (is_alone()) {
    route->to = roster_.all().front();
    route->inside = wanted->name;
  } else {
    route = co_await find_resource(wanted->name);
  }
  if (!route) co_return std::unexpected(std::move(route.error()));
  const auto at = route->to;
  auto reply = co_await pass(call, std::move(*route), *wanted);
  if (!reply) co_return reply;
  if (call.method == protocol::Subscribe::method) {
    attendants_.follows({call.context.conversation, call.context.principal, wanted->name, call.context.revision}, at);
  } else {
    attendants_.follows_no_more(call.context.conversation, wanted->name);
  }
  co_return reply;
}

// The client has asked for it once, and does not know that servers come and go here.
Task<void> Merge::follow_again(Following lost) {
  protocol::ResourceUriParams params;
  params.uri = lost.uri;
  Call call{.method = std::string(protocol::Subscribe::method), .params = json::to_payload(params)};
  call.context.conversation = lost.conversation;
  call.context.principal = lost.principal;
  call.context.revision = lost.revision;
  const auto followed = co_await follow(call);
  if (followed) co_return;
  log(roster_.loop().log, LogLevel::warning, "merge",
      [&] { return "a client follows " + lost.uri + ", which no server has any more: " + followed.error().message; });
}

}  // namespace fairlead::gateway
