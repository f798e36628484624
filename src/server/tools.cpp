#include <fairlead/json/schema.hpp>
#include <utility>

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

Result<void> check_input(const Tool& tool, std::string_view arguments) {
  if (!tool.input) return {};
  const auto violations = tool.input->validate(arguments);
  if (violations.empty()) return {};
  return refuse(Fault::bad_arguments, joined(violations), tool.name());
}

Result<void> check_output(const Tool& tool, const protocol::CallToolResult& result) {
  if (!tool.output || result.isError.value_or(false)) return {};
  if (!result.structuredContent) {
    return refuse(Fault::tool_failed, "the tool promised a structured result and gave none", tool.name());
  }
  const auto violations = tool.output->validate(result.structuredContent->text());
  if (violations.empty()) return {};
  return refuse(Fault::tool_failed, "the tool's result is not what it promised: " + joined(violations), tool.name());
}

}  // namespace

Task<Result<session::Reply>> ServerState::call_tool(session::Call& call) {
  auto params = json::decode<protocol::CallToolParams>(call.params);
  if (!params) co_return refuse(Fault::invalid_params, params.error().message);
  const auto tool = registry()->tools.find(params->name);
  if (!tool || !shows(Kind::tool, params->name, call.context.principal)) {
    co_return refuse(Fault::unknown_tool, "Unknown tool: " + params->name, params->name);
  }
  const json::Payload arguments = params->arguments.value_or(json::Payload::trusted("{}"));
  if (auto checked = check_input(*tool, arguments.text()); !checked) co_return std::unexpected(checked.error());

  ContextState state{.server = *this, .call = call};
  if (auto restored = restore(state); !restored) co_return std::unexpected(restored.error());
  const Input input{.json = arguments.text(), .closed = tool->entry.closed};
  auto outcome = co_await run_handler(tool->entry.handler, input, state, Fault::tool_failed);
  if (outcome.ended_round) co_return end_round(state);
  if (!outcome.output) {
    co_return std::unexpected(as_own_failure(std::move(outcome.output.error()), Fault::tool_failed, tool->name()));
  }
  auto& result = *outcome.output;
  if (!result.isError) result.isError = false;
  if (auto checked = check_output(*tool, result); !checked) co_return std::unexpected(checked.error());
  co_return reply_of(result);
}

}  // namespace fairlead::server
