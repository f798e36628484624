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
struct ResolvedCall {
  std::shared_ptr<const RegisteredTool> tool;
  json::Payload arguments;

  Input input() const { return {.json = arguments.text(), .reject_unknown = tool->entry.reject_unknown}; }
};

using SharedTool = std::shared_ptr<const RegisteredTool>;

/// Finds the tool by the raw `name` member, without decoding the params. Null also if the name contains escapes.
SharedTool find_named(const Registry& all, const json::Payload& params) {
  const auto quoted = json::member_of(params.text(), "name");
  return quoted.size() > 2 ? all.tools.find(quoted.substr(1, quoted.size() - 2)) : nullptr;
}

/// `known` is a candidate from find_named, checked again here.
Result<ResolvedCall> resolve(const ServerState& server, const Registry& all, const session::Call& call,
                             SharedTool known = nullptr) {
  auto params = json::decode<protocol::CallToolParams>(call.params);
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message);
  auto tool = known && known->name() == params->name ? std::move(known) : all.tools.find(params->name);
  if (!tool || !server.is_visible(EntryKind::tool, params->name, call.context.principal)) {
    return refuse(ProtocolError::unknown_tool, "Unknown tool: " + params->name, params->name);
  }
  auto arguments = params->arguments ? std::move(*params->arguments) : json::Payload::trusted("{}");
  if (auto checked = check_input(*tool, arguments.text()); !checked) return std::unexpected(checked.error());
  return ResolvedCall{std::move(tool), std::move(arguments)};
}

Result<session::Reply> finish(const RegisteredTool& tool, const session::Call& call,
                              Result<protocol::CallToolResult> output) {
  if (!output)
    return std::unexpected(as_handler_error(std::move(output.error()), ProtocolError::tool_failed, tool.name()));
  if (!output->isError) output->isError = false;
  if (auto checked = check_output(tool, *output); !checked) return std::unexpected(checked.error());
  if (output->structuredContent && is_wrapped(tool, call)) {
    std::string wrapped = R"({"result":)" + std::string(output->structuredContent->text()) + "}";
    output->structuredContent = json::Payload::trusted(std::move(wrapped));
  }
  return reply_of(*output);
}

}  // namespace

std::optional<Result<session::Reply>> ServerState::call_tool_now(session::Call& call, const Registry& all) {
  auto known = find_named(all, call.params);
  // The coroutine path decodes the params itself.
  if (known && !is_plain(known->entry.handler)) return std::nullopt;
  auto resolved = resolve(*this, all, call, std::move(known));
  if (!resolved) return std::unexpected(std::move(resolved.error()));
  const auto& handler = resolved->tool->entry.handler;
  if (!is_plain(handler)) return std::nullopt;
  ContextState state{.server = *this, .call = call};
  if (auto restored = restore(state); !restored) return std::unexpected(std::move(restored.error()));
  return finish(*resolved->tool, call, run_plain(handler, resolved->input(), state, ProtocolError::tool_failed));
}

std::vector<protocol::HeaderParam> Server::header_params(std::string_view tool, std::string_view principal) {
  const auto found = state_->registry()->tools.find(tool);
  if (!found || !state_->is_visible(EntryKind::tool, tool, principal)) return {};
  return found->headers;
}

Task<Result<session::Reply>> ServerState::call_tool(session::Call& call) {
  auto resolved = resolve(*this, *registry(), call);
  if (!resolved) co_return std::unexpected(std::move(resolved.error()));
  ContextState state{.server = *this, .call = call};
  if (auto restored = restore(state); !restored) co_return std::unexpected(std::move(restored.error()));
  auto outcome =
      co_await run_handler(resolved->tool->entry.handler, resolved->input(), state, ProtocolError::tool_failed);
  if (outcome.needs_input) co_return end_round(state);
  co_return finish(*resolved->tool, call, std::move(outcome.output));
}

}  // namespace fairlead::server
