#include <fairlead/protocol/extension.hpp>
#include <utility>

#include "protocol/required_capability.hpp"
#include "server/tasks/task_run.hpp"

/// tasks/get, tasks/update and tasks/cancel, and the tasks of an earlier process.
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

// Whether the answers belong to a question is known here; whether they fit is known to the handler.
bool add_answers(TaskRecord& record, protocol::InputResponses& responses) {
  bool changed = false;
  for (auto& [key, response] : responses) {
    if (record.questions.erase(key) == 0) continue;
    record.answers.insert_or_assign(key, response);
    changed = true;
  }
  if (changed && record.questions.empty()) record.status = TaskStatus::working;
  return changed;
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
  return tasks.offered && extension.exists_in(*call.context.revision);
}

Result<void> ServerState::require_tasks(const Call& call) {
  if (protocol::declares_extension(call.context.caller->capabilities.extensions, protocol::extension::tasks)) return {};
  return std::unexpected(protocol::undeclared_extension(protocol::extension::tasks));
}

// A task of another caller and a missing one give the same answer. The rule of `visible` applies again.
Task<Result<TaskRecord>> ServerState::find_task(std::string id, std::string principal) {
  auto found = co_await tasks.store->get(id);
  if (!found) co_return std::unexpected(std::move(found.error()));
  const auto& record = *found;
  const bool is_own = record && record->principal == principal && !record->is_expired(tasks.options.now()) &&
                      is_visible(EntryKind::tool, record->tool, principal);
  if (!is_own) co_return unknown_task(id);
  co_return std::move(**found);
}

Task<Result<Reply>> ServerState::get_task(Call& call) {
  auto params = json::decode<protocol::TaskIdParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  auto record = co_await find_task(std::move(params->taskId), call.context.principal);
  if (!record) co_return std::unexpected(std::move(record.error()));
  co_return reply_of(shown_task(*record, tasks.options.now()));
}

Task<Result<Reply>> ServerState::update_task(Call& call) {
  auto params = json::decode<protocol::UpdateTaskParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  auto record = co_await find_task(params->taskId, call.context.principal);
  if (!record) co_return std::unexpected(std::move(record.error()));
  auto stored = co_await tasks.update(
      params->taskId, [&](TaskRecord& current) { return add_answers(current, params->inputResponses); });
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  co_return empty_reply();
}

Task<Result<Reply>> ServerState::cancel_task(Call& call) {
  auto params = json::decode<protocol::TaskIdParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  auto record = co_await find_task(params->taskId, call.context.principal);
  if (!record) co_return std::unexpected(std::move(record.error()));
  auto stored = co_await tasks.update(
      params->taskId, [](TaskRecord& current) { return !std::exchange(current.cancel_requested, true); });
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  co_return empty_reply();
}

}  // namespace fairlead::server
