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
  if (!id || begun_.add(*id, {at, call.context.principal})) return;
  log(roster_.loop().log, LogLevel::warning, at->name(),
      [] { return "a task has the id of another one, and cannot be asked for"; });
}

// Of whom a task is follows from who began it, never from how its id is spelled.
Result<std::shared_ptr<Catalogue>> Merge::owner_of_task(const Call& call) const {
  const auto& all = roster_.all();
  const auto wanted = named_by(call.params, "taskId");
  if (const auto* begun = wanted ? begun_.find(wanted->name) : nullptr) {
    const auto at = begun->at.lock();
    const bool is_here = at && std::ranges::find(all, at) != all.end();
    if (is_here && begun->principal == call.context.principal) return at;
    return refuse(Fault::invalid_params, "there is no such task", wanted->name);
  }
  if (std::ranges::count_if(all, has_tasks) == 1) return *std::ranges::find_if(all, has_tasks);
  if (wanted) return refuse(Fault::invalid_params, "there is no such task", wanted->name);
  return refuse(Fault::unknown_method, "several servers have tasks, and no common list of them", call.method);
}

Task<Result<Reply>> Merge::call_task(Call& call) {
  if (std::ranges::none_of(roster_.all(), has_tasks)) co_return co_await call_whoever_knows(call);
  const auto owner = owner_of_task(call);
  if (!owner) co_return std::unexpected(owner.error());
  const auto at = *owner;
  co_return co_await at->member().call(call);
}

}  // namespace fairlead::gateway
