#pragma once

#include <fairlead/protocol/model/prompts.hpp>
#include <fairlead/server/handler.hpp>

namespace fairlead::server {

struct PromptOptions {
  std::string description = {};
  std::optional<std::string> title = {};
  std::optional<std::vector<protocol::Icon>> icons = {};
  std::optional<json::Payload> meta = {};
};

/// A registered prompt.
struct PromptEntry {
  protocol::Prompt definition;
  HandlerFunction<protocol::GetPromptResult> handler;
};

/// Makes a text message of the given role: `return user("Review:\n" + *diff);`.
inline protocol::PromptMessage user(std::string text) {
  return {.role = protocol::Role::user, .content = protocol::TextContent{.text = std::move(text)}};
}
inline protocol::PromptMessage assistant(std::string text) {
  return {.role = protocol::Role::assistant, .content = protocol::TextContent{.text = std::move(text)}};
}

struct PromptResultConverter {
  using Output = protocol::GetPromptResult;

  static Output convert(Output result) { return result; }
  static Output convert(std::string text) { return convert(user(std::move(text))); }
  static Output convert(const char* text) { return convert(user(text)); }
  static Output convert(std::vector<protocol::PromptMessage> messages) { return {.messages = std::move(messages)}; }
  static Output convert(protocol::PromptMessage message) {
    Output result;
    result.messages.push_back(std::move(message));
    return result;
  }
};

std::vector<protocol::PromptArgument> prompt_arguments(std::span<const Field> fields);

template <class F>
PromptEntry make_prompt(std::string name, PromptOptions options, F function) {
  PromptEntry entry;
  auto& prompt = entry.definition;
  prompt.name = std::move(name);
  prompt.title = std::move(options.title);
  if (!options.description.empty()) prompt.description = std::move(options.description);
  prompt.icons = std::move(options.icons);
  prompt._meta = std::move(options.meta);
  const auto fields = Parameters<typename SignatureOf<F>::Parameters>::all_fields();
  if (!fields.empty()) prompt.arguments = prompt_arguments(fields);
  entry.handler = make_handler<PromptResultConverter>(std::move(function));
  return entry;
}

/// The input of a completion: the text typed so far and the other arguments that are already set.
struct CompletionQuery {
  std::string value;
  std::map<std::string, std::string> arguments;
};

/// A registered completion.
struct CompletionEntry {
  std::string key;  ///< Prompt or template, and argument name.
  HandlerFunction<protocol::Completion> handler;
};

struct CompletionResultConverter {
  using Output = protocol::Completion;

  static Output convert(Output completion) { return completion; }
  static Output convert(std::vector<std::string> values) { return {.values = std::move(values)}; }
};

/// `function` takes the text typed so far as a `std::string`, or a `CompletionQuery` and optionally a `Context&`.
template <class F>
CompletionEntry make_completion(std::string key, F function) {
  using Taken = typename SignatureOf<F>::Parameters;
  if constexpr (std::is_same_v<Taken, std::tuple<std::string>> ||
                std::is_same_v<Taken, std::tuple<const std::string&>>) {
    return make_completion(std::move(key), [function = std::move(function)](const CompletionQuery& query) mutable {
      return function(query.value);
    });
  } else {
    return {.key = std::move(key), .handler = make_handler<CompletionResultConverter>(std::move(function))};
  }
}

}  // namespace fairlead::server
