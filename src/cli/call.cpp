#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "base/closest_match.hpp"
#include "cli/client_command.hpp"
#include "cli/error_text.hpp"
#include "cli/output.hpp"
#include "cli/to_text.hpp"
#include "cli/typed_arguments.hpp"

namespace fairlead::cli {
namespace {

constexpr auto call_examples = R"(  fairlead call memory.search_nodes query=cats
  fairlead call echo text=hello -- ./server
  fairlead call add a=1 b=2 --json -- ./server
  fairlead call search --args '{"query":"cats"}' limit:=5 -- npx -y some-server)";

struct CallOptions : ClientCommand {
  std::string tool = {};
  std::vector<std::string> assignments = {};
  std::string base = "{}";
};

/// Adds the tool that the user may have meant, if the server does not list this one.
Error with_advice(Error error, const std::string& tool, const std::vector<protocol::Tool>& tools) {
  std::vector<std::string> names;
  for (const auto& each : tools) names.push_back(each.name);
  // If the call failed for another reason, a suggested name does not help.
  const bool may_be_name =
      error.kind == ErrorKind::refused && !is_gateway_error(error) &&
      (error.code == jsonrpc::code::invalid_params || error.code == jsonrpc::code::method_not_found);
  if (!may_be_name || std::ranges::find(names, tool) != names.end()) return error;
  const auto near = closest_match(tool, names);
  error.message +=
      near ? fmt::format("; did you mean '{}'?", *near) : "; fairlead list tools shows the available tools";
  return error;
}

std::string show_result(const protocol::CallToolResult& result) {
  std::string text;
  for (const auto& block : result.content) text += to_text(block);
  if (result.content.empty() && result.structuredContent) text = std::string(result.structuredContent->text()) + "\n";
  return text;
}

/// The server's tools; empty if the server only accepts plain tool calls and cannot list them.
std::vector<protocol::Tool> tools_of(client::Client& client) {
  try {
    return client.tools();
  } catch (const client::Failure& failure) {
    if (failure.error().code == jsonrpc::code::method_not_found) return {};
    throw;
  }
}

int call(client::Client& client, const CallOptions& request) {
  const auto tools = tools_of(client);
  const auto tool = std::ranges::find(tools, request.tool, &protocol::Tool::name);
  const auto schema = tool == tools.end() ? json::Payload() : tool->inputSchema;
  auto arguments = typed_arguments(request.assignments, schema, request.base);
  if (!arguments) return request.usage_error(arguments.error().message);
  protocol::CallToolParams params;
  params.name = request.tool;
  params.arguments = json::Payload::trusted(std::move(*arguments));
  const auto sent = json::to_payload(params);
  const auto body = client.wait(client.async().request("tools/call", sent, ClientCommand::progress_options()));
  if (!body) throw client::Failure(with_advice(body.error(), request.tool, tools));
  const auto result = json::decode<protocol::CallToolResult>(*body);
  if (!result) throw client::Failure(result.error());
  const int printed = print(request.json() ? std::string(body->text()) + "\n" : show_result(*result));
  if (!result->isError.value_or(false)) return printed;
  const auto why = fmt::format("the tool '{}' reported an error", escape_for_terminal(request.tool));
  return report_error("call", why, exit_code::failed);
}

int run_call(CallOptions flags) {
  flags.accept_qualified_name(flags.tool);
  return flags.run([&](client::Client& client) { return call(client, flags); });
}

}  // namespace

RunCommand declare_call(Options& options) {
  auto flags = std::make_shared<CallOptions>();
  options.describe(
      "call <server>.<tool> [name=value...] [options]\n"
      "       fairlead call <tool> [name=value...] [options] <name> | <url> | -- <server command...>",
      "Calls a tool and prints its result. Argument values are converted to the types in the tool's input schema.",
      call_examples);
  options.positional("tool", flags->tool, "the tool's name; <server>.<tool> also names the configured server", true);
  options.positionals("arguments", flags->assignments, "name=value, or name:=json");
  options.text("--args", flags->base, "arguments as a JSON object; name=value adds members to it", "<json>");
  flags->add_options(options);
  return [flags] { return run_call(*flags); };
}

}  // namespace fairlead::cli
