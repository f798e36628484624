#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "base/nearest.hpp"
#include "cli/client_command.hpp"
#include "cli/explained.hpp"
#include "cli/output.hpp"
#include "cli/show.hpp"
#include "cli/typed_arguments.hpp"

namespace fairlead::cli {
namespace {

constexpr auto call_examples = R"(  fairlead call memory.search_nodes query=cats
  fairlead call echo text=hello -- ./server
  fairlead call add a=1 b=2 --json -- ./server
  fairlead call search --args '{"query":"cats"}' limit:=5 -- npx -y some-server)";

struct Request {
  std::string tool;
  std::vector<std::string> words;
  std::string base = "{}";
};

/// The error, and what the user may have meant if there is no such tool.
Error with_advice(Error error, const std::string& tool, const std::vector<protocol::Tool>& tools) {
  std::vector<std::string> names;
  for (const auto& each : tools) names.push_back(each.name);
  // Who was turned away for another reason is not helped by a name.
  const bool may_be_name =
      error.kind == ErrorKind::refused && !is_from_gateway(error) &&
      (error.code == jsonrpc::code::invalid_params || error.code == jsonrpc::code::method_not_found);
  if (!may_be_name || std::ranges::find(names, tool) != names.end()) return error;
  const auto near = nearest(tool, names);
  error.message += near ? fmt::format("; did you mean '{}'?", *near) : "; fairlead list tools shows what there is";
  return error;
}

std::string show_result(const protocol::CallToolResult& result) {
  std::string text;
  for (const auto& block : result.content) text += show(block);
  if (result.content.empty() && result.structuredContent) text = std::string(result.structuredContent->text()) + "\n";
  return text;
}

/// What there is to call; nothing where the server cannot be asked, because it is reached by bare tool calls.
std::vector<protocol::Tool> tools_of(client::Client& client) {
  try {
    return client.tools();
  } catch (const client::Failure& failure) {
    if (failure.error().code == jsonrpc::code::method_not_found) return {};
    throw;
  }
}

int call(client::Client& client, const ClientCommand& command, const Request& request) {
  const auto tools = tools_of(client);
  const auto tool = std::ranges::find(tools, request.tool, &protocol::Tool::name);
  const auto schema = tool == tools.end() ? json::Payload() : tool->inputSchema;
  auto arguments = typed_arguments(request.words, schema, request.base);
  if (!arguments) return command.refuse(arguments.error().message);
  protocol::CallToolParams params;
  params.name = request.tool;
  params.arguments = json::Payload::trusted(std::move(*arguments));
  const auto sent = json::to_payload(params);
  const auto body = client.wait(client.async().request("tools/call", sent, ClientCommand::with_progress()));
  if (!body) throw client::Failure(with_advice(body.error(), request.tool, tools));
  const auto result = json::decode<protocol::CallToolResult>(*body);
  if (!result) throw client::Failure(result.error());
  const int printed = print(command.json() ? std::string(body->text()) + "\n" : show_result(*result));
  if (!result->isError.value_or(false)) return printed;
  complain(fmt::format("fairlead call: the tool '{}' says that it failed", for_terminal(request.tool)));
  return exit_code::failed;
}

}  // namespace

int run_call(const Words& words) {
  ClientCommand command(
      "call <server>.<tool> [name=value...] [options]\n       fairlead call <tool> [name=value...] [options] <name> | "
      "<url> | -- <server command...>",
      "Calls a tool and prints what it gives. Values are read as the tool's schema wants them.", call_examples);
  Request request;
  command.options().word("tool", request.tool,
                         "the tool's name; with that of a configured server before it, no other server is needed",
                         true);
  command.options().words("arguments", request.words, "name=value, or name:=json");
  command.options().text("--args", request.base, "arguments as a JSON object; name=value adds to it", "<json>");
  command.may_name_server(request.tool);
  return command.run(words, [&](client::Client& client) { return call(client, command, request); });
}

}  // namespace fairlead::cli
