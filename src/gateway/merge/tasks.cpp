#include <algorithm>
#include <fairlead/base/log.hpp>
#include <utility>

#include "gateway/merge/merge.hpp"

/// Tasks, which are known by ids of their servers' choice.
namespace fairlead::gateway {
namespace {

using protocol::Fault;
using session::Call;
using session::Reply;

bool has_tasks(const std::shared_ptr<Catalogue>& each) {
  return each->capabilities() && each->capabilities()->tasks;
}

}  // namespace

void Merge::remember_task(const Call& call, const Reply& reply, const std::shared_ptr<Catalogue>& at) {
  const auto id = begun_task(call, reply);
  if (!id) return;
  const auto* known = begun_.find(*id);
  // A server that gives an id again has no other task of that id any more.
  if (known == nullptr || known->server == at->name()) {
    const auto caller = caller_of(call.context);
    return begun_.put(*id, caller, {.server = at->name(), .caller = caller});
  }
  log(roster_.loop().log, LogLevel::warning, at->name(),
      [] { return "a task has the id of another one, and cannot be asked for"; });
}

// Of whom a task is follows from who began it, never from how its id is spelled. By its server's name it is found again
// after a reload has put another in its place.
Result<std::shared_ptr<Catalogue>> Merge::owner_of_task(const std::string& id, const Call& call) const {
  const auto* begun = begun_.find(id);
  const bool is_own = begun != nullptr && begun->caller == caller_of(call.context);
  const auto& all = roster_.all();
  const auto found = is_own ? std::ranges::find(all, begun->server, &Catalogue::name) : all.end();
  if (found == all.end()) return refuse(Fault::invalid_params, "there is no such task", id);
  return *found;
}

Result<std::shared_ptr<Catalogue>> Merge::only_one_with_tasks(const Call& call) const {
  const auto& all = roster_.all();
  const auto count = std::ranges::count_if(all, has_tasks);
  if (count == 1) return *std::ranges::find_if(all, has_tasks);
  return refuse(Fault::unknown_method, count == 0 ? "" : "several servers have tasks, and no common list of them",
                call.method);
}

Task<Result<Reply>> Merge::call_task(Call& call) {
  const auto wanted = named_by(call.params, "taskId");
  const bool is_list = call.method == "tasks/list";
  if (is_list) {
    std::vector<ListKind> kinds(1, ListKind::tools);
    auto gathered = co_await roster_.gather(std::move(kinds), Roster::Want::strangers);
    if (!gathered) co_return std::unexpected(std::move(gathered.error()));
  } else if (!wanted) {
    co_return refuse(Fault::invalid_params, "taskId: expected a string");
  }
  const auto owner = is_list ? only_one_with_tasks(call) : owner_of_task(wanted->name, call);
  if (!owner) co_return std::unexpected(owner.error());
  const auto at = *owner;
  co_return co_await at->member().call(call);
}

}  // namespace fairlead::gateway
