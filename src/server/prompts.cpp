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

struct PromptInvocation {
  static constexpr std::optional<ProtocolError> handler_fault = std::nullopt;

  std::shared_ptr<const RegisteredPrompt> prompt;
  std::string arguments;

  const auto& handler() const { return prompt->entry.handler; }
  Input input() const { return {.json = arguments, .source = InputFormat::text}; }

  Result<session::Reply> finish(const session::Call&, Result<protocol::GetPromptResult> output) const {
    if (!output) {
      auto& error = output.error();
      // Not a result: the caller of a prompt is a user interface, not a model that could correct its arguments.
      if (protocol::protocol_error_of(error) == ProtocolError::bad_arguments)
        return refuse(ProtocolError::invalid_params, error.message);
      return std::unexpected(as_handler_error(std::move(error), ProtocolError::internal, prompt->name()));
    }
    if (!output->description) output->description = prompt->entry.definition.description;
    return reply_of(*output);
  }
};

struct CompletionInvocation {
  static constexpr std::optional<ProtocolError> handler_fault = std::nullopt;

  std::shared_ptr<const CompletionEntry> completer;
  std::string query;

  const auto& handler() const { return completer->handler; }
  Input input() const { return {.json = query}; }

  Result<session::Reply> finish(const session::Call& call, Result<protocol::Completion> output) const {
    if (!output)
      return std::unexpected(as_handler_error(std::move(output.error()), ProtocolError::internal, call.method));
    protocol::CompleteResult result{.completion = std::move(*output)};
    limit(result.completion);
    return reply_of(result);
  }
};

}  // namespace

Task<Result<session::Reply>> ServerState::get_prompt(session::Call& call, const Registry& all) {
  auto params = json::decode<protocol::GetPromptParams>(call.params);
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message);
  auto prompt = all.prompts.find(params->name);
  if (!prompt || !is_visible(EntryKind::prompt, params->name, call.context.principal)) {
    return refuse(ProtocolError::prompt_missing, "Unknown prompt: " + params->name, params->name);
  }
  auto arguments = params->arguments ? json::encode(*params->arguments) : "{}";
  return invoke(*this, call, PromptInvocation{std::move(prompt), std::move(arguments)});
}

Task<Result<session::Reply>> ServerState::complete(session::Call& call, const Registry& all) {
  auto params = json::decode<protocol::CompleteParams>(call.params);
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message);
  if (const auto* prompt = std::get_if<protocol::PromptReference>(&params->ref)) {
    if (!all.prompts.find(prompt->name) || !is_visible(EntryKind::prompt, prompt->name, call.context.principal)) {
      return refuse(ProtocolError::prompt_missing, "Unknown prompt: " + prompt->name, prompt->name);
    }
  }
  const auto key = std::visit([&](const auto& of) { return completion_key(of, params->argument.name); }, params->ref);
  auto completer = all.completions.find(key);
  if (!completer) return reply_of(protocol::CompleteResult());
  CompletionQuery query{.value = params->argument.value, .arguments = {}};
  if (params->context && params->context->arguments) query.arguments = *params->context->arguments;
  return invoke(*this, call, CompletionInvocation{std::move(completer), json::encode(query)});
}

}  // namespace fairlead::server
