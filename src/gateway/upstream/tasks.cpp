#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <utility>

#include "gateway/merge/splice.hpp"
#include "gateway/upstream/upstream.hpp"

/// Tasks of a server that several callers share: each has his own, whatever the server knows of its callers.
namespace fairlead::gateway {

using protocol::Fault;
using session::Call;
using session::Reply;

bool Upstream::is_own(std::string_view task, const Call& call) const {
  const auto* owner = options_.tasks->find(task);
  return owner != nullptr && owner->caller == caller_of(call.context);
}

// What nobody here is known to have begun is nobody's: a server that does not tell its callers apart would show it to
// everybody.
Task<Result<Reply>> Upstream::call_task(Call& call) {
  const auto wanted = named_by(call.params, "taskId");
  const bool is_list = call.method == "tasks/list";
  if (!is_list && (!wanted || !is_own(wanted->name, call))) {
    if (known_ && !connection_.server().capabilities.tasks) co_return refuse(Fault::unknown_method, "", call.method);
    co_return refuse(Fault::invalid_params, "there is no such task", wanted ? wanted->name : "");
  }
  auto reply = co_await pass_on(call);
  if (reply && is_list) leave_out_others(*reply, call);
  co_return reply;
}

void Upstream::leave_out_others(Reply& reply, const Call& call) const {
  const auto list = json::member_of(reply.body.text(), "tasks");
  if (!list.starts_with('[')) return;
  std::string left = "[";
  bool all = true;
  json::Reader tasks(list);
  for (tasks.open(); tasks.more();) {
    const auto task = tasks.skip();
    const auto id = json::decode<std::string>(json::member_of(task, "taskId"));
    if (id && is_own(*id, call)) {
      (left += left.size() > 1 ? "," : "") += task;
    } else {
      all = false;
    }
  }
  if (!all) reply.body = json::Payload::trusted(json::ObjectEdit(reply.body.text()).set("tasks", left + "]").text());
}

}  // namespace fairlead::gateway
