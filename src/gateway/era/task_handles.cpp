#include "gateway/era/task_handles.hpp"

#include <fairlead/http/identity.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>

#include "base/change_result.hpp"
#include "gateway/model/json_rewrite.hpp"
#include "gateway/model/task_extension.hpp"
#include "protocol/required_capability.hpp"

namespace fairlead::gateway {
namespace {

using protocol::ProtocolError;

void show_handle(Reply& reply, const std::string& handle) {
  if (json::member_of(reply.body, "taskId").empty()) return;
  reply.body = json::Payload::trusted(json::ObjectEdit(reply.body.text()).set("taskId", json::encode(handle)).text());
}

// In other revisions the declaration has no meaning.
void withdraw_declaration(Call& call) {
  auto caller = std::make_shared<protocol::ClientIdentity>(*call.context.caller);
  remove_tasks_extension(caller->capabilities.extensions);
  call.context.caller = std::move(caller);
}

}  // namespace

bool TaskHandles::concerns(const Call& call) {
  return is_task_request(call.method) || accepts_tasks(call.context);
}

Task<Result<Reply>> TaskHandles::call(Call& call) {
  const bool in_era = has_task_extension(call.context), declared = accepts_tasks(call.context);
  if (in_era && is_task_request(call.method)) return open_and_call(call);
  if (in_era && declared && call.method == protocol::CallTool::method) return start(call);
  if (!in_era && declared) withdraw_declaration(call);
  return target()->call(call);
}

Task<Result<Reply>> TaskHandles::start(Call& call) {
  auto tool = string_member(call.params, "name");
  if (!tool) return target()->call(call);
  return change_result(target()->call(call), [this, name = std::move(tool->name),
                                              principal = call.context.principal](Result<Reply>& reply) {
    if (!reply || !is_started_task(*reply)) return;
    const auto id = string_member(reply->body, "taskId");
    if (id)
      show_handle(*reply, options_.seal->seal({.tool = name, .id = id->name}, {options_.virtual_server, principal}));
  });
}

// The order of the checks is that of SEP-2663: method, capability, id.
Task<Result<Reply>> TaskHandles::open_and_call(Call& call) {
  if (!offers_extension(protocol::extension::tasks)) return refuse(ProtocolError::unknown_method, "", call.method);
  if (!accepts_tasks(call.context)) return std::unexpected(protocol::undeclared_extension(protocol::extension::tasks));
  auto handle = string_member(call.params, "taskId");
  if (!handle) return refuse(ProtocolError::invalid_params, "taskId: expected a string");
  auto task = options_.seal->open(handle->name, {options_.virtual_server, call.context.principal});
  if (!task) return unknown_task();
  if (auto allowed = check_scopes(call, task->tool); !allowed) return std::unexpected(std::move(allowed.error()));
  return call_opened(call, std::move(handle->name), std::move(*task));
}

// The listener checks the scopes of calls, but it does not know which tool a handle is about.
Result<void> TaskHandles::check_scopes(const Call& call, const std::string& tool) const {
  if (!options_.scopes || !call.context.identity) return {};
  const auto needed = options_.scopes->needed(protocol::CallTool::method, tool);
  if (options_.scopes->allows(call.context.identity->scopes, needed)) return {};
  return refuse(
      ProtocolError::invalid_params,
      "the access token lacks a scope of the tool that started the task; it needs " + auth::join_scopes(needed));
}

Task<Result<Reply>> TaskHandles::call_opened(Call& call, std::string handle, TaskReference task) {
  const auto kept = call.params;
  json::ObjectEdit params(kept.text());
  params.set("taskId", json::encode(task.id)).set("name", json::encode(task.tool));
  call.params = json::Payload::trusted(params.text());
  auto reply = co_await target()->call(call);
  call.params = kept;
  if (reply) show_handle(*reply, handle);
  co_return reply;
}

}  // namespace fairlead::gateway
