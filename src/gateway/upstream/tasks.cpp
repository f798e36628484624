#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <utility>

#include "gateway/merge/splice.hpp"
#include "gateway/upstream/upstream.hpp"

/// Tasks of a server that several callers share: each has his own, whatever the server knows of its callers.
namespace fairlead::gateway {

using session::Call;
using session::Reply;

bool Upstream::is_anothers(std::string_view task, const Call& call) const {
  const auto* owner = tasks_.find(task);
  return owner != nullptr && owner->principal != call.context.principal;
}

Task<Result<Reply>> Upstream::call_task(Call& call) {
  const auto wanted = named_by(call.params, "taskId");
  if (wanted && is_anothers(wanted->name, call)) {
    co_return std::unexpected(
        protocol::fault_error(protocol::Fault::invalid_params, "there is no such task", wanted->name));
  }
  auto reply = co_await pass_on(call);
  if (reply && call.method == "tasks/list") leave_out_others(*reply, call);
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
    if (id && is_anothers(*id, call)) {
      all = false;
    } else {
      (left += left.size() > 1 ? "," : "") += task;
    }
  }
  if (!all) reply.body = json::Payload::trusted(json::ObjectEdit(reply.body.text()).set("tasks", left + "]").text());
}

}  // namespace fairlead::gateway
