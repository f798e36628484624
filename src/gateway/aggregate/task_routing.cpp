#include <algorithm>
#include <fairlead/base/log.hpp>

#include "gateway/aggregate/aggregator.hpp"

/// Routes tasks by their ids, which the servers choose.
namespace fairlead::gateway {
namespace {

using protocol::ProtocolError;

bool has_tasks(const std::shared_ptr<BackendCatalog>& each) {
  return each->capabilities() && each->capabilities()->tasks;
}

}  // namespace

void Aggregator::remember_task(const Call& call, const Reply& reply, const std::shared_ptr<BackendCatalog>& at) {
  const auto id = started_task(call, reply);
  if (!id) return;
  const auto* known = started_tasks_.find(*id);
  // A server that reuses an id has finished the earlier task.
  if (known == nullptr || known->server == at->name()) {
    const auto caller = caller_of(call.context);
    return started_tasks_.replace(*id, caller, {.server = at->name(), .caller = caller});
  }
  log(backends_.loop().log, LogLevel::warning, at->name(),
      [] { return "a task has the same id as a task of another server; it cannot be fetched"; });
}

// A task belongs to the server that started it, whatever its id looks like. The server is remembered by name, which
// stays valid after a reload.
Result<std::shared_ptr<BackendCatalog>> Aggregator::owner_of_task(const std::string& id, const Call& call) const {
  const auto* begun = started_tasks_.find(id);
  const bool is_own = begun != nullptr && begun->caller == caller_of(call.context);
  const auto& all = backends_.all();
  const auto found = is_own ? std::ranges::find(all, begun->server, &BackendCatalog::name) : all.end();
  if (found == all.end())
    return refuse(ProtocolError::invalid_params, "unknown task; a caller can use only the tasks that it started", id);
  return *found;
}

Result<std::shared_ptr<BackendCatalog>> Aggregator::sole_backend_with_tasks(const Call& call) const {
  const auto& all = backends_.all();
  const auto count = std::ranges::count_if(all, has_tasks);
  if (count == 1) return *std::ranges::find_if(all, has_tasks);
  return refuse(ProtocolError::unknown_method,
                count == 0 ? "" : "several servers support tasks; the gateway cannot merge their lists", call.method);
}

Task<Result<Reply>> Aggregator::call_task(Call& call) {
  const auto wanted = string_member(call.params, "taskId");
  const bool is_list = call.method == "tasks/list";
  if (is_list) {
    std::vector<ListKind> kinds(1, ListKind::tools);
    auto fetched = co_await backends_.fetch_lists(std::move(kinds), BackendSet::WaitFor::uninitialized);
    if (!fetched) co_return std::unexpected(std::move(fetched.error()));
  } else if (!wanted) {
    co_return refuse(ProtocolError::invalid_params, "taskId: expected a string");
  }
  const auto owner = is_list ? sole_backend_with_tasks(call) : owner_of_task(wanted->name, call);
  if (!owner) co_return std::unexpected(owner.error());
  co_return co_await (*owner)->backend().call(call);
}

}  // namespace fairlead::gateway
