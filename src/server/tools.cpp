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

/// What a call is about, once it is clear that it may be made.
struct Chosen {
  std::shared_ptr<const Tool> tool;
  json::Payload arguments;

  Input input() const { return {.json = arguments.text(), .closed = tool->entry.closed}; }
};

using SharedTool = std::shared_ptr<const Tool>;

/// By its name alone, without reading the rest; null also for a name that is written in another way than ours.
SharedTool find_named(const Registry& all, const json::Payload& params) {
  const auto quoted = json::member_of(params.text(), "name");
  return quoted.size() > 2 ? all.tools.find(quoted.substr(1, quoted.size() - 2)) : nullptr;
}

/// `known` may be the tool, and need not.
Result<Chosen> choose(const ServerState& server, const Registry& all, const session::Call& call,
                      SharedTool known = nullptr) {
  auto params = json::decode<protocol::CallToolParams>(call.params);
  if (!params) return refuse(Fault::invalid_params, params.error().message);
  auto tool = known && known->name() == params->name ? std::move(known) : all.tools.find(params->name);
  if (!tool || !server.shows(Kind::tool, params->name, call.context.principal)) {
    return refuse(Fault::unknown_tool, "Unknown tool: " + params->name, params->name);
  }
  auto arguments = params->arguments ? std::move(*params->arguments) : json::Payload::trusted("{}");
  if (auto checked = check_input(*tool, arguments.text()); !checked) return std::unexpected(checked.error());
  return Chosen{std::move(tool), std::move(arguments)};
}

Result<session::Reply> finish(const Tool& tool, const session::Call& call, Result<protocol::CallToolResult> output) {
  if (!output) return std::unexpected(as_own_failure(std::move(output.error()), Fault::tool_failed, tool.name()));
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
  // Whoever awaits it reads the call anyway.
  if (known && !is_plain(known->entry.handler)) return std::nullopt;
  auto chosen = choose(*this, all, call, std::move(known));
  if (!chosen) return std::unexpected(std::move(chosen.error()));
  const auto& handler = chosen->tool->entry.handler;
  if (!is_plain(handler)) return std::nullopt;
  ContextState state{.server = *this, .call = call};
  if (auto restored = restore(state); !restored) return std::unexpected(std::move(restored.error()));
  return finish(*chosen->tool, call, run_plain(handler, chosen->input(), state, Fault::tool_failed));
}

std::vector<protocol::HeaderParam> Server::header_params(std::string_view tool, std::string_view principal) {
  const auto found = state_->registry()->tools.find(tool);
  if (!found || !state_->shows(Kind::tool, tool, principal)) return {};
  return found->headers;
}

Task<Result<session::Reply>> ServerState::call_tool(session::Call& call) {
  auto chosen = choose(*this, *registry(), call);
  if (!chosen) co_return std::unexpected(std::move(chosen.error()));
  ContextState state{.server = *this, .call = call};
  if (auto restored = restore(state); !restored) co_return std::unexpected(std::move(restored.error()));
  auto outcome = co_await run_handler(chosen->tool->entry.handler, chosen->input(), state, Fault::tool_failed);
  if (outcome.ended_round) co_return end_round(state);
  co_return finish(*chosen->tool, call, std::move(outcome.output));
}

}  // namespace fairlead::server
