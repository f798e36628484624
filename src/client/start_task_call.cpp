#include <fairlead/client/connection.hpp>
#include <fairlead/json/object_edit.hpp>
#include <utility>

#include "client/remote_task_state.hpp"

/// Calls that are started without waiting for their result.
namespace fairlead::client {
namespace {

/// What another process needs to find a task again.
struct TaskReference {
  std::optional<std::string> endpoint = {};  ///< The address, if the server has one.
  std::string task = {};
  std::string tool = {};
  std::optional<std::string> revision = {};
};

std::string address_of(const Endpoint& endpoint) {
  const auto* address = std::get_if<Endpoint::Address>(&endpoint.location());
  return address != nullptr ? address->text : "";
}

}  // namespace

Task<Result<RemoteTask>> Connection::start(std::string tool, Arguments arguments, CallOptions options) {
  const auto state = state_;
  if (auto connected = co_await state->ensure_connected(); !connected)
    co_return std::unexpected(std::move(connected.error()));
  protocol::CallToolParams call{.name = tool, .arguments = arguments.payload()};
  auto params = json::to_payload(call);
  const bool asks = state->may_ask_for_task();
  if (asks) params = asking_for_task(params);
  auto reply = co_await state->send_rounds(std::string(protocol::CallTool::method), params, options);
  const bool refused = !reply && asks && reply.error().code == jsonrpc::code::method_not_found;
  // The tool runs only as a plain call.
  if (refused)
    reply = co_await state->send_rounds(std::string(protocol::CallTool::method), json::to_payload(call), options);
  if (!reply) co_return std::unexpected(std::move(reply.error()));
  if (reply->kind == protocol::ResultKind::other || (asks && !json::member_of(reply->body, "task").empty())) {
    auto task = remote_task_of(state, std::move(tool), reply->body);
    if (!task) co_return std::unexpected(std::move(task.error()));
    co_return RemoteTask(std::move(*task));
  }
  auto ended = std::make_shared<RemoteTaskState>();
  ended->connection = state;
  ended->tool = std::move(tool);
  ended->result = std::move(reply->body);
  co_return RemoteTask(std::move(ended));
}

bool ConnectionState::may_ask_for_task() const {
  const auto& declared = server.capabilities.tasks;
  if (!options.tasks || !declared || !server.revision->client_requests.contains(protocol::GetTaskResult::method))
    return false;
  const auto requests = json::member_of(*declared, "requests");
  const auto tools = requests.empty() ? requests : json::member_of(requests, "tools");
  return !tools.empty() && !json::member_of(tools, "call").empty();
}

json::Payload asking_for_task(const json::Payload& params) {
  return json::Payload::trusted(json::ObjectEdit(params.text()).set("task", "{}").text());
}

Result<RemoteTask> Connection::resume(std::string_view reference) {
  const auto valid = json::Payload::parse(std::string(reference));
  auto found = valid ? json::decode<TaskReference>(*valid) : Result<TaskReference>(std::unexpected(valid.error()));
  if (!found || found->task.empty()) return fail(ErrorKind::invalid, "this text is not a reference to a task");
  const auto address = address_of(state_->endpoint);
  if (!address.empty() && found->endpoint.value_or(address) != address) {
    return fail(ErrorKind::invalid,
                "the task belongs to " + *found->endpoint + ", and this client is connected to " + address);
  }
  auto task = std::make_shared<RemoteTaskState>();
  task->connection = state_;
  task->id = std::move(found->task);
  task->tool = std::move(found->tool);
  return RemoteTask(std::move(task));
}

std::string RemoteTask::reference() const {
  if (state_->id.empty()) return {};
  TaskReference reference{.task = state_->id, .tool = state_->tool};
  auto address = address_of(state_->connection->endpoint);
  if (!address.empty()) reference.endpoint = std::move(address);
  if (const auto* revision = state_->connection->server.revision) reference.revision = revision->name;
  return json::encode(reference);
}

}  // namespace fairlead::client
