#include <fairlead/protocol/extension.hpp>
#include <utility>

#include "protocol/required_capability.hpp"
#include "server/tasks/task_run.hpp"

/// tasks/get, tasks/update and tasks/cancel of both eras, and the tasks of an earlier process.
namespace fairlead::server {
namespace {

using protocol::TaskStatus;
using session::Call;
using session::Reply;

Reply empty_reply() {
  return {.body = json::Payload::trusted("{}")};
}

std::unexpected<Error> unknown_task(const std::string& id) {
  return refuse(ProtocolError::invalid_params,
                "unknown task; it has expired, or another caller started it. Call the tool again", id);
}

/// The call that began a task of an earlier process.
session::Call stored_call(const TaskRecord& record) {
  Call call{.method = std::string(protocol::CallTool::method), .params = record.params};
  const auto* revision = protocol::find_revision(record.revision);
  call.context.revision = revision != nullptr ? revision : &protocol::newest();
  call.context.principal = record.principal;
  protocol::ClientIdentity caller{.revision = record.revision};
  if (auto declared = json::decode<protocol::ClientCapabilities>(record.capabilities)) {
    caller.capabilities = std::move(*declared);
  }
  call.context.caller = std::make_shared<const protocol::ClientIdentity>(std::move(caller));
  return call;
}

bool end_without_run(TaskRecord& record) {
  record.questions.clear();
  record.status = record.cancel_requested ? TaskStatus::cancelled : TaskStatus::failed;
  if (!record.cancel_requested) {
    record.error = json::Payload::trusted(
        R"({"code":-32603,"message":"the server was restarted, and the task cannot go on; call the tool again"})");
  }
  return true;
}

}  // namespace

Task<void> ServerState::resume_task(std::string id) {
  auto found = co_await tasks.store->get(id);
  if (!found || !*found) co_return;
  const auto& record = **found;
  auto tool = registry()->tools.find(record.tool);
  if (!tool || record.fails_on_restart || record.cancel_requested) {
    co_await tasks.update(std::move(id), end_without_run);
    co_return;
  }
  const auto call = stored_call(record);
  const auto executor = co_await this_task::executor;
  TaskRun::resume(std::make_shared<TaskRun>(*this, call, std::move(tool), executor), record);
}

Task<void> ServerState::resume_tasks() {
  const auto ids = co_await tasks.store->claim();
  if (!ids) co_return;
  for (const auto& id : *ids) co_await resume_task(id);
}

bool ServerState::has_tasks(const Call& call) const {
  static const auto& extension = *protocol::find_extension(protocol::extension::tasks);
  const auto& revision = *call.context.revision;
  return tasks.offered && (extension.exists_in(revision) || has_legacy_tasks(revision));
}

bool ServerState::has_legacy_tasks(const protocol::Revision& revision) const {
  return tasks.offered && revision.client_requests.contains(protocol::GetTaskResult::method);
}

Result<void> ServerState::require_tasks(const Call& call) {
  // In the handshake era, the client declares nothing: it asks for a task with each call.
  if (call.context.revision->lifecycle == protocol::Lifecycle::handshake) return {};
  if (protocol::declares_extension(call.context.caller->capabilities.extensions, protocol::extension::tasks)) return {};
  return std::unexpected(protocol::undeclared_extension(protocol::extension::tasks));
}

// A task of another caller and a missing one give the same answer. The rule of `visible` applies again.
Task<Result<TaskRecord>> ServerState::find_task(std::string id, const session::RequestContext& caller) {
  auto found = co_await tasks.store->get(id);
  if (!found) co_return std::unexpected(std::move(found.error()));
  if (!*found || !is_own_task(**found, caller)) co_return unknown_task(id);
  co_return std::move(**found);
}

bool ServerState::is_own_task(const TaskRecord& record, const session::RequestContext& caller) const {
  return record.principal == caller.principal && !record.is_expired(tasks.options.now()) &&
         is_legacy(record) == (caller.revision->lifecycle == protocol::Lifecycle::handshake) &&
         is_visible(EntryKind::tool, record.tool, caller.principal);
}

Task<Result<Reply>> ServerState::get_task(Call& call) {
  auto params = json::decode<protocol::TaskIdParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  auto record = co_await find_task(std::move(params->taskId), call.context);
  if (!record) co_return std::unexpected(std::move(record.error()));
  if (is_legacy(*record)) co_return reply_of(legacy_task(*record, tasks.options.now()));
  co_return reply_of(shown_task(*record, tasks.options.now()));
}

Task<Result<Reply>> ServerState::update_task(Call& call) {
  auto params = json::decode<protocol::UpdateTaskParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  auto record = co_await find_task(params->taskId, call.context);
  if (!record) co_return std::unexpected(std::move(record.error()));
  auto stored = co_await tasks.update(params->taskId,
                                      [&](TaskRecord& current) { return current.add_answers(params->inputResponses); });
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  co_return empty_reply();
}

Task<Result<Reply>> ServerState::cancel_task(Call& call) {
  auto params = json::decode<protocol::TaskIdParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  auto record = co_await find_task(params->taskId, call.context);
  if (!record) co_return std::unexpected(std::move(record.error()));
  if (is_legacy(*record)) co_return co_await cancel_legacy_task(std::move(*record));
  auto stored = co_await tasks.update(
      params->taskId, [](TaskRecord& current) { return !std::exchange(current.cancel_requested, true); });
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  co_return empty_reply();
}

}  // namespace fairlead::server
