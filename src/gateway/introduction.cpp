#include "gateway/introduction.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;

Reply initialized(client::ServerDescription server, const protocol::Revision& revision) {
  protocol::InitializeResult result;
  result.protocolVersion = revision.name;
  result.capabilities = std::move(server.capabilities);
  result.serverInfo = std::move(server.info);
  result.instructions = std::move(server.instructions);
  return {.body = json::to_payload(result)};
}

Reply discovered(client::ServerDescription server) {
  protocol::DiscoverResult result;
  for (const auto& revision : protocol::revisions()) {
    if (revision.lifecycle == protocol::Lifecycle::stateless) result.supportedVersions.emplace_back(revision.name);
  }
  result.capabilities = std::move(server.capabilities);
  result.instructions = std::move(server.instructions);
  return {.body = json::to_payload(result)};
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
  if (call.method == protocol::Discover::method) co_return discovered(std::move(*server));
  co_return initialized(std::move(*server), *call.context.revision);
}

}  // namespace fairlead::gateway
