#include <algorithm>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/schema.hpp>
#include <utility>
#include <variant>

#include "server/definitions.hpp"
#include "server/run_handler.hpp"
#include "server/tasks/task_run.hpp"
#include "server/tool_invocation.hpp"

namespace fairlead::server {
namespace {

std::string joined(const std::vector<json::Violation>& violations) {
  std::string text;
  for (const auto& violation : violations) {
    if (!text.empty()) text += "; ";
    text += json::to_string(violation);
  }
  return text;
}

Result<void> check_input(const RegisteredTool& tool, std::string_view arguments) {
  if (!tool.input) return {};
  const auto violations = tool.input->validate(arguments);
  if (violations.empty()) return {};
  return refuse(ProtocolError::bad_arguments, joined(violations), tool.name());
}

Result<void> check_output(const RegisteredTool& tool, const protocol::CallToolResult& result) {
  if (!tool.output || result.isError.value_or(false)) return {};
  if (!result.structuredContent) {
    return refuse(ProtocolError::tool_failed, "the tool returned no structured content", tool.name());
  }
  const auto violations = tool.output->validate(result.structuredContent->text());
  if (violations.empty()) return {};
  return refuse(ProtocolError::tool_failed, "the result violates its schema: " + joined(violations), tool.name());
}

/// True if the result is the same in every revision: only text.
bool is_plain_text(const protocol::CallToolResult& result) {
  const auto is_text = [](const auto& block) { return std::holds_alternative<protocol::TextContent>(block); };
  return !result.structuredContent && !result._meta && std::ranges::all_of(result.content, is_text);
}

/// `protocol::CallToolParams` without copies of its JSON values: refers to the text of the params.
struct ToolCallParams {
  std::string name;
  std::optional<json::RawText> arguments = {};
  std::optional<protocol::InputResponses> inputResponses = {};  // NOLINT(readability-identifier-naming)
  std::optional<std::string> requestState = {};                 // NOLINT(readability-identifier-naming)
  std::optional<json::RawText> task = {};                       // Asks for a task (handshake era).
};

// In the handshake era the client decides, and the tool says what it may decide.
Result<void> check_legacy_mode(const RegisteredTool& tool, bool asks_for_task) {
  const auto mode = tool.entry.task.mode;
  if (asks_for_task && mode == TaskMode::forbidden) {
    return refuse(ProtocolError::unknown_method,
                  "the tool '" + tool.name() + "' cannot run as a task; leave `task` out", tool.name());
  }
  if (!asks_for_task && mode == TaskMode::required) {
    return refuse(ProtocolError::unknown_method, "the tool '" + tool.name() + "' runs only as a task; add `task`",
                  tool.name());
  }
  return {};
}

Task<Result<session::Reply>> call_as_task(ServerState& server, session::Call& call,
                                          std::shared_ptr<const RegisteredTool> tool) {
  const auto executor = co_await this_task::executor;
  co_return co_await TaskRun::serve(std::make_shared<TaskRun>(server, call, std::move(tool), executor));
}

}  // namespace

Result<session::Reply> ToolInvocation::finish(const session::Call& call,
                                              Result<protocol::CallToolResult> output) const {
  if (!output)
    return std::unexpected(as_handler_error(std::move(output.error()), ProtocolError::tool_failed, tool->name()));
  if (!output->isError) output->isError = false;
  if (auto checked = check_output(*tool, *output); !checked) return std::unexpected(checked.error());
  if (output->structuredContent && is_wrapped(*tool, call)) {
    std::string wrapped = R"({"result":)" + std::string(output->structuredContent->text()) + "}";
    output->structuredContent = json::Payload::trusted(std::move(wrapped));
  }
  if (!is_plain_text(*output)) return reply_of(*output);
  // The codec of the revision then need not search the result for members to convert.
  auto reply = reply_of(*output, json::name_bits({"content", "isError"}));
  reply.written_in = call.context.revision;
  return reply;
}

std::string_view tool_arguments(const json::Payload& params) {
  const auto arguments = json::member_of(params.text(), "arguments");
  return arguments.empty() ? "{}" : arguments;
}

std::vector<protocol::HeaderParam> Server::header_params(std::string_view tool, std::string_view principal) {
  const auto found = state_->registry()->tools.find(tool);
  if (!found || !state_->is_visible(EntryKind::tool, tool, principal)) return {};
  return found->headers;
}

Task<Result<session::Reply>> ServerState::call_tool(session::Call& call, const Registry& all) {
  const auto params = json::decode<ToolCallParams>(call.params);
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message);
  auto tool = all.tools.find(params->name);
  if (!tool || !is_visible(EntryKind::tool, params->name, call.context.principal)) {
    return refuse(ProtocolError::unknown_tool, "Unknown tool: " + params->name, params->name);
  }
  const bool is_legacy = has_legacy_tasks(*call.context.revision);
  if (is_legacy) {
    if (auto checked = check_legacy_mode(*tool, params->task.has_value()); !checked)
      return std::unexpected(checked.error());
  }
  const bool may_be_task =
      tool->entry.task.mode != TaskMode::forbidden && has_tasks(call) && (!is_legacy || params->task.has_value());
  auto declared = may_be_task ? require_tasks(call) : Result<void>();
  if (!declared && tool->entry.task.mode == TaskMode::required) return std::unexpected(std::move(declared.error()));
  const std::string_view arguments = params->arguments ? params->arguments->text : "{}";
  if (auto checked = check_input(*tool, arguments); !checked) return std::unexpected(checked.error());
  if (may_be_task && declared) return call_as_task(*this, call, std::move(tool));
  return invoke(*this, call, ToolInvocation{std::move(tool), arguments});
}

}  // namespace fairlead::server
