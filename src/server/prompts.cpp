#include <fairlead/json/writer.hpp>
#include <utility>

#include "server/run_handler.hpp"

namespace fairlead::server {
namespace {

constexpr std::size_t max_completions = 100;

void limit(protocol::Completion& completion) {
  if (completion.values.size() <= max_completions) return;
  if (!completion.total) completion.total = static_cast<std::int64_t>(completion.values.size());
  completion.values.resize(max_completions);
  completion.hasMore = true;
}

std::string completion_key(const protocol::CompleteParams& params) {
  if (const auto* prompt = std::get_if<protocol::PromptReference>(&params.ref)) {
    return "prompt\n" + prompt->name + "\n" + params.argument.name;
  }
  return "resource\n" + std::get<protocol::ResourceReference>(params.ref).uri + "\n" + params.argument.name;
}

}  // namespace

Task<Result<session::Reply>> ServerState::get_prompt(session::Call& call) {
  auto params = json::decode<protocol::GetPromptParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  const auto prompt = registry()->prompts.find(params->name);
  if (!prompt || !is_visible(EntryKind::prompt, params->name, call.context.principal)) {
    co_return refuse(ProtocolError::prompt_missing, "Unknown prompt: " + params->name, params->name);
  }
  const std::string arguments = params->arguments ? json::encode(*params->arguments) : "{}";

  ContextState state{.server = *this, .call = call};
  if (auto restored = restore(state); !restored) co_return std::unexpected(restored.error());
  const Input input{.json = arguments, .source = InputFormat::text};
  auto outcome = co_await run_handler(prompt->entry.handler, input, state, std::nullopt);
  if (outcome.needs_input) co_return end_round(state);
  if (!outcome.output) {
    auto& error = outcome.output.error();
    // Not a result: the caller of a prompt is a user interface, not a model that could correct its arguments.
    if (protocol::protocol_error_of(error) == ProtocolError::bad_arguments)
      co_return refuse(ProtocolError::invalid_params, error.message);
    co_return std::unexpected(as_handler_error(std::move(error), ProtocolError::internal, prompt->name()));
  }
  auto& result = *outcome.output;
  if (!result.description) result.description = prompt->entry.definition.description;
  co_return reply_of(result);
}

Task<Result<session::Reply>> ServerState::complete(session::Call& call) {
  auto params = json::decode<protocol::CompleteParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  const auto all = registry();
  if (const auto* prompt = std::get_if<protocol::PromptReference>(&params->ref)) {
    if (!all->prompts.find(prompt->name) || !is_visible(EntryKind::prompt, prompt->name, call.context.principal)) {
      co_return refuse(ProtocolError::prompt_missing, "Unknown prompt: " + prompt->name, prompt->name);
    }
  }
  protocol::CompleteResult result;
  const auto completer = all->completions.find(completion_key(*params));
  if (!completer) co_return reply_of(result);

  CompletionQuery query{.value = params->argument.value, .arguments = {}};
  if (params->context && params->context->arguments) query.arguments = *params->context->arguments;
  const std::string text = json::encode(query);
  ContextState state{.server = *this, .call = call};
  const Input input{.json = text};
  auto outcome = co_await run_handler(completer->handler, input, state, std::nullopt);
  if (!outcome.output) {
    co_return std::unexpected(
        as_handler_error(std::move(outcome.output.error()), ProtocolError::internal, call.method));
  }
  result.completion = std::move(*outcome.output);
  limit(result.completion);
  co_return reply_of(result);
}

}  // namespace fairlead::server
