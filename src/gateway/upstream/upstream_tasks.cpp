#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>

#include "gateway/model/json_rewrite.hpp"
#include "gateway/model/task_extension.hpp"
#include "gateway/upstream/upstream.hpp"

/// Restricts tasks of a shared server to the callers that started them, whatever the server knows about its callers.
/// Tasks of the extension are restricted by their handles (TaskHandles), those of the handshake revisions here.
namespace fairlead::gateway {

using protocol::ProtocolError;
using session::Call;
using session::Reply;

bool Upstream::owns_task(std::string_view task, const Call& call) const {
  const auto* owner = options_.tasks->find(task);
  return owner != nullptr && owner->caller == caller_of(call.context);
}

// A task of unknown origin is hidden: a server that does not distinguish callers would show it to all of them.
Task<Result<Reply>> Upstream::call_task(Call& call) {
  if (accepts_tasks(call.context)) co_return co_await call_started_task(call);
  const auto wanted = string_member(call.params, "taskId");
  const bool is_list = call.method == "tasks/list";
  if (!is_list && (!wanted || !owns_task(wanted->name, call))) {
    if (known_ && !connection_.server().capabilities.tasks)
      co_return refuse(ProtocolError::unknown_method, "", call.method);
    co_return refuse(ProtocolError::invalid_params, "unknown task; a caller can use only the tasks that it started",
                     wanted ? wanted->name : "");
  }
  auto reply = co_await forward(call);
  if (reply && is_list) remove_foreign_tasks(*reply, call);
  co_return reply;
}

// `name` is for the chain.
Task<Result<Reply>> Upstream::call_started_task(Call& call) {
  const auto kept = call.params;
  call.params = json::Payload::trusted(json::ObjectEdit(kept.text()).erase("name").text());
  auto reply = co_await forward(call);
  call.params = kept;
  co_return reply;
}

void Upstream::remove_foreign_tasks(Reply& reply, const Call& call) const {
  const auto list = json::member_of(reply.body.text(), "tasks");
  if (!list.starts_with('[')) return;
  std::string left = "[";
  bool all = true;
  json::Reader tasks(list);
  for (tasks.open(); tasks.more();) {
    const auto task = tasks.skip();
    const auto id = json::decode<std::string>(json::member_of(task, "taskId"));
    if (id && owns_task(*id, call)) {
      (left += left.size() > 1 ? "," : "") += task;
    } else {
      all = false;
    }
  }
  if (!all) reply.body = json::Payload::trusted(json::ObjectEdit(reply.body.text()).set("tasks", left + "]").text());
}

}  // namespace fairlead::gateway
