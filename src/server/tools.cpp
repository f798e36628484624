#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/schema.hpp>
#include <utility>

#include "server/definitions.hpp"
#include "server/run_handler.hpp"

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

/// A call whose tool is visible and whose arguments are valid.
struct ToolInvocation {
  static constexpr std::optional handler_fault = ProtocolError::tool_failed;

  std::shared_ptr<const RegisteredTool> tool;
  json::Payload arguments;

  const auto& handler() const { return tool->entry.handler; }
  Input input() const { return {.json = arguments.text(), .reject_unknown = tool->entry.reject_unknown}; }

  Result<session::Reply> finish(const session::Call& call, Result<protocol::CallToolResult> output) const {
    if (!output)
      return std::unexpected(as_handler_error(std::move(output.error()), ProtocolError::tool_failed, tool->name()));
    if (!output->isError) output->isError = false;
    if (auto checked = check_output(*tool, *output); !checked) return std::unexpected(checked.error());
    if (output->structuredContent && is_wrapped(*tool, call)) {
      std::string wrapped = R"({"result":)" + std::string(output->structuredContent->text()) + "}";
      output->structuredContent = json::Payload::trusted(std::move(wrapped));
    }
    return reply_of(*output);
  }
};

}  // namespace

std::vector<protocol::HeaderParam> Server::header_params(std::string_view tool, std::string_view principal) {
  const auto found = state_->registry()->tools.find(tool);
  if (!found || !state_->is_visible(EntryKind::tool, tool, principal)) return {};
  return found->headers;
}

Task<Result<session::Reply>> ServerState::call_tool(session::Call& call, const Registry& all) {
  auto params = json::decode<protocol::CallToolParams>(call.params);
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message);
  auto tool = all.tools.find(params->name);
  if (!tool || !is_visible(EntryKind::tool, params->name, call.context.principal)) {
    return refuse(ProtocolError::unknown_tool, "Unknown tool: " + params->name, params->name);
  }
  auto arguments = params->arguments ? std::move(*params->arguments) : json::Payload::trusted("{}");
  if (auto checked = check_input(*tool, arguments.text()); !checked) return std::unexpected(checked.error());
  return invoke(*this, call, ToolInvocation{std::move(tool), std::move(arguments)});
}

}  // namespace fairlead::server
