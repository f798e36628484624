#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "cli/client_command.hpp"
#include "cli/output.hpp"
#include "cli/show.hpp"

namespace fairlead::cli {
namespace {

constexpr auto prompt_examples = R"text(  fairlead prompt git.review diff="$(git diff)"
  fairlead prompt review diff="$(git diff)" -- ./server)text";

// All arguments of a prompt are text.
Result<std::map<std::string, std::string>> arguments_of(const std::vector<std::string>& words) {
  std::map<std::string, std::string> arguments;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorKind::invalid, fmt::format("'{}': write name=value", word));
    }
    arguments[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return arguments;
}

std::string shown(const protocol::GetPromptResult& result) {
  std::string text;
  for (const auto& message : result.messages) {
    const auto role = json::enum_name(message.role);
    text += fmt::format("{}: {}", role, show(message.content));
  }
  return text;
}

int prompt(client::Client& client, const protocol::GetPromptParams& params, bool json) {
  const auto body = client.request("prompts/get", json::to_payload(params), ClientCommand::with_progress());
  if (json) return print(std::string(body.text()) + "\n");
  const auto result = json::decode<protocol::GetPromptResult>(body);
  if (!result) throw client::Failure(result.error());
  return print(shown(*result));
}

}  // namespace

int run_prompt(const Words& words) {
  ClientCommand command(
      "prompt <server>.<prompt> [name=value...] [options]\n       fairlead prompt <prompt> [name=value...] "
      "[options] <name> | <url> | -- <server command...>",
      "Fills in a prompt and prints its messages.", prompt_examples);
  protocol::GetPromptParams params;
  std::vector<std::string> given;
  command.options().word("name", params.name, "which prompt", true);
  command.options().words("arguments", given, "name=value");
  command.may_name_server(params.name);
  return command.run(words, [&](client::Client& client) {
    auto arguments = arguments_of(given);
    if (!arguments) return command.refuse(arguments.error().message);
    if (!arguments->empty()) params.arguments = std::move(*arguments);
    return prompt(client, params, command.json());
  });
}

}  // namespace fairlead::cli
