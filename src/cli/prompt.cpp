#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "cli/client_command.hpp"
#include "cli/output.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

constexpr auto prompt_examples = R"text(  fairlead prompt git.review diff="$(git diff)"
  fairlead prompt review diff="$(git diff)" -- ./server)text";

// Prompt arguments are strings.
Result<std::map<std::string, std::string>> arguments_of(const std::vector<std::string>& assignments) {
  std::map<std::string, std::string> arguments;
  for (const auto& assignment : assignments) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorKind::invalid, fmt::format("'{}': expected name=value", assignment));
    }
    arguments[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  return arguments;
}

std::string shown(const protocol::GetPromptResult& result) {
  std::string text;
  for (const auto& message : result.messages) {
    const auto role = json::enum_name(message.role);
    text += fmt::format("{}: {}", role, to_text(message.content));
  }
  return text;
}

int prompt(client::Client& client, const protocol::GetPromptParams& params, bool json) {
  const auto body = client.request("prompts/get", json::to_payload(params), ClientCommand::progress_options());
  if (json) return print(std::string(body.text()) + "\n");
  const auto result = json::decode<protocol::GetPromptResult>(body);
  if (!result) throw client::Failure(result.error());
  return print(shown(*result));
}

struct PromptOptions : ClientCommand {
  protocol::GetPromptParams params = {};
  std::vector<std::string> arguments = {};
};

int run_prompt(PromptOptions flags) {
  flags.accept_qualified_name(flags.params.name);
  return flags.run([&](client::Client& client) {
    auto arguments = arguments_of(flags.arguments);
    if (!arguments) return flags.usage_error(arguments.error().message);
    if (!arguments->empty()) flags.params.arguments = std::move(*arguments);
    return prompt(client, flags.params, flags.json());
  });
}

}  // namespace

RunCommand declare_prompt(Options& options) {
  auto flags = std::make_shared<PromptOptions>();
  options.describe(
      "prompt <server>.<prompt> [name=value...] [options]\n"
      "       fairlead prompt <prompt> [name=value...] [options] <name> | <url> | -- <server command...>",
      "Gets a prompt with the given arguments and prints its messages.", prompt_examples);
  options.positional("name", flags->params.name, "the prompt's name", true);
  options.positionals("arguments", flags->arguments, "name=value");
  flags->add_options(options);
  return [flags] { return run_prompt(*flags); };
}

}  // namespace fairlead::cli
