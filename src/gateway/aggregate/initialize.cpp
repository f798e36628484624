#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "gateway/aggregate/aggregator.hpp"
#include "gateway/model/task_extension.hpp"

namespace fairlead::gateway {
namespace {

// Unknown members are passed to clients of the server's own era only: in the other era they may have another meaning.
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

// Each era has tasks of its own.
void remove_tasks_of_other_era(protocol::ServerCapabilities& capabilities, bool stateless) {
  if (stateless) {
    capabilities.tasks.reset();
  } else {
    remove_tasks_extension(capabilities.extensions);
  }
}

}  // namespace

// A single server describes itself. Several are described together, as one server with the gateway's own name.
Task<Result<client::ServerDescription>> Aggregator::describe(const Call& call) {
  if (backends_.all().size() == 1) {
    const auto only = backends_.all().front();
    co_return co_await only->backend().describe_for(call);
  }
  auto all = co_await combined_description();
  if (all) all->info = backends_.options().info;
  co_return all;
}

Task<Result<Reply>> Aggregator::initialize(Call& call) {
  auto server = co_await describe(call);
  if (!server) co_return std::unexpected(std::move(server.error()));
  info_ = server->info;
  const bool stateless = call.method == protocol::Discover::method;
  remove_tasks_of_other_era(server->capabilities, stateless);
  if (stateless) co_return discovered(std::move(*server), *call.context.revision);
  co_return initialized(std::move(*server), *call.context.revision);
}

}  // namespace fairlead::gateway
