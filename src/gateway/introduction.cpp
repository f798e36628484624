#include "gateway/introduction.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "gateway/task_extension.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;

// What a server says of itself that we do not know is for clients of its own era: in the other, the same name may mean
// something else.
json::Extra extra_for(client::ServerDescription& server, const protocol::Revision& revision) {
  const bool same_era = server.revision && server.revision->lifecycle == revision.lifecycle;
  return same_era ? std::move(server.extra) : json::Extra();
}

Reply initialized(client::ServerDescription server, const protocol::Revision& revision) {
  protocol::InitializeResult result;
  result.protocolVersion = revision.name;
  result.extra = extra_for(server, revision);
  result.capabilities = std::move(server.capabilities);
  result.serverInfo = std::move(server.info);
  result.instructions = std::move(server.instructions);
  return {.body = json::to_payload(result)};
}

Reply discovered(client::ServerDescription server, const protocol::Revision& revision) {
  protocol::DiscoverResult result;
  result.extra = extra_for(server, revision);
  for (const auto& each : protocol::revisions()) {
    if (each.lifecycle == protocol::Lifecycle::stateless) result.supportedVersions.emplace_back(each.name);
  }
  result.capabilities = std::move(server.capabilities);
  result.instructions = std::move(server.instructions);
  return {.body = json::to_payload(result)};
}

// Tasks of the extension cannot be fetched through the gateway, and those of the handshake revisions do not exist in
// the stateless ones. What is not offered is not begun.
void leave_out_tasks(protocol::ServerCapabilities& capabilities, bool stateless) {
  if (stateless) capabilities.tasks.reset();
  without_tasks(capabilities.extensions);
}

}  // namespace

Task<Result<Reply>> Introduction::call(Call& call) {
  const bool asks_who = call.method == protocol::Initialize::method || call.method == protocol::Discover::method;
  return asks_who ? introduce(call) : server_.call(call);
}

Task<Result<Reply>> Introduction::introduce(Call& call) {
  auto server = co_await describe_(call);
  if (!server) co_return std::unexpected(std::move(server.error()));
  self_ = server->info;
  const bool stateless = call.method == protocol::Discover::method;
  leave_out_tasks(server->capabilities, stateless);
  if (stateless) co_return discovered(std::move(*server), *call.context.revision);
  co_return initialized(std::move(*server), *call.context.revision);
}

}  // namespace fairlead::gateway
