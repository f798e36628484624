#pragma once

#include <fairlead/protocol/model/prompts.hpp>
#include <fairlead/server/handler.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::server {

struct PromptOptions {
  std::string description = {};
  std::optional<std::string> title = {};
  std::optional<std::vector<protocol::Icon>> icons = {};
  std::optional<json::Payload> meta = {};
};

/// A prompt as it is registered.
struct PromptEntry {
  protocol::Prompt definition;
  Handler<protocol::GetPromptResult> handler;
};

/// Messages in one word: `return user("Review:\n" + *diff);`.
inline protocol::PromptMessage user(std::string text) {
  return {.role = protocol::Role::user, .content = protocol::TextContent{.text = std::move(text)}};
}
inline protocol::PromptMessage assistant(std::string text) {
  return {.role = protocol::Role::assistant, .content = protocol::TextContent{.text = std::move(text)}};
}

struct PromptShape {
  using Output = protocol::GetPromptResult;

  static Output make(Output result) { return result; }
  static Output make(std::string text) { return make(user(std::move(text))); }
  static Output make(const char* text) { return make(user(text)); }
  static Output make(std::vector<protocol::PromptMessage> messages) { return {.messages = std::move(messages)}; }
  static Output make(protocol::PromptMessage message) {
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
  entry.handler = make_handler<PromptShape>(std::move(function));
  return entry;
}

/// What a completion is asked for: the text so far, and the other arguments as far as they are known.
struct CompletionQuery {
  std::string value;
  std::map<std::string, std::string> arguments;
};

/// A completer as it is registered.
struct CompletionEntry {
  std::string key;  ///< Of a prompt or a template, and the argument's name.
  Handler<protocol::Completion> handler;
};

struct CompletionShape {
  using Output = protocol::Completion;

  static Output make(Output completion) { return completion; }
  static Output make(std::vector<std::string> values) { return {.values = std::move(values)}; }
};

/// Takes the text so far as a `std::string`, or a `CompletionQuery` and a `Context&` if it wants one.
template <class F>
CompletionEntry make_completion(std::string key, F function) {
  using Taken = typename SignatureOf<F>::Parameters;
  if constexpr (std::is_same_v<Taken, std::tuple<std::string>> ||
                std::is_same_v<Taken, std::tuple<const std::string&>>) {
    return make_completion(std::move(key), [function = std::move(function)](const CompletionQuery& query) mutable {
      return function(query.value);
    });
  } else {
    return {.key = std::move(key), .handler = make_handler<CompletionShape>(std::move(function))};
  }
}

}  // namespace fairlead::server
