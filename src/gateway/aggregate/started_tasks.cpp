#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>

#include "base/change_result.hpp"
#include "gateway/aggregate/aggregator.hpp"
#include "gateway/model/task_extension.hpp"
#include "gateway/model/task_seal.hpp"

/// Routes tasks of the tasks extension. Their ids are qualified by the server, so nothing has to be remembered.
namespace fairlead::gateway {
namespace {

json::Payload with_task_id(const json::Payload& body, const std::string& id) {
  return json::Payload::trusted(json::ObjectEdit(body.text()).set("taskId", json::encode(id)).text());
}

void qualify(Reply& reply, const std::string& server) {
  const auto id = string_member(reply.body, "taskId");
  if (id) reply.body = with_task_id(reply.body, qualified_task_id(server, id->name));
}

}  // namespace

Task<Result<Reply>> Aggregator::with_qualified_task(Task<Result<Reply>> reply, const Call& call,
                                                    const std::shared_ptr<BackendCatalog>& at) {
  if (call.method != protocol::CallTool::method || !accepts_tasks(call.context)) return reply;
  return change_result(std::move(reply), [at](Result<Reply>& made) {
    if (made && is_started_task(*made)) qualify(*made, at->name());
  });
}

// The chain of the server knows the tool by its upstream name. A tool that was removed keeps the name: its tasks go on.
std::string Aggregator::params_at_server(const Call& call, const BackendCatalog& at, std::string_view id) const {
  json::ObjectEdit params(call.params.text());
  params.set("taskId", json::encode(std::string(id)));
  const auto tool = string_member(call.params, "name");
  const auto route = tool && !passes_through_single() ? find_route(ListKind::tools, tool->name) : std::nullopt;
  if (route && route->catalog.get() == &at) params.set("name", json::encode(route->upstream_name));
  return params.text();
}

Task<Result<Reply>> Aggregator::call_started_task(Call& call) {
  const auto wanted = string_member(call.params, "taskId");
  const auto parts = wanted ? split_task_id(wanted->name) : std::nullopt;
  if (!parts) co_return unknown_task();
  const auto& all = backends_.all();
  const auto found = std::ranges::find(all, parts->first, &BackendCatalog::name);
  if (found == all.end()) {
    co_return refuse(protocol::ProtocolError::invalid_params,
                     "the server of the task was removed from the configuration of the gateway");
  }
  const auto catalog = *found;
  call.dependencies.push_back(catalog);
  const auto kept = std::exchange(call.params, json::Payload::trusted(params_at_server(call, *catalog, parts->second)));
  auto reply = co_await catalog->backend().call(call);
  call.params = kept;
  if (reply) qualify(*reply, catalog->name());
  co_return reply;
}

}  // namespace fairlead::gateway
