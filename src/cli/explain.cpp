#include "gateway/explain/explain.hpp"

#include <algorithm>
#include <fairlead/base/debug_options.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/definitions.hpp"
#include "cli/output.hpp"
#include "cli/run_loop.hpp"
#include "cli/server_probe.hpp"
#include "cli/servers_command.hpp"
#include "cli/servers_file.hpp"
#include "cli/terminal.hpp"
#include "cli/to_text.hpp"
#include "cli/typed_arguments.hpp"

namespace fairlead::cli {
namespace {

using gateway::Explained;

constexpr auto explain_examples = R"(  fairlead explain memory read_graph
  fairlead explain git push branch=main --as ann -c team.yaml
  fairlead explain git push --offline --json)";

struct ExplainOptions : ServersCommand {
  gateway::ExplainRequest request = {};
  std::vector<std::string> arguments = {};
  bool offline = false;
};

std::vector<gateway::KnownServer> known_servers_of(const gateway::GatewayConfig& config, Duration deadline) {
  std::vector<gateway::KnownServer> known;
  for (auto& each : fetch_definitions(enabled_servers(config), deadline)) {
    known.push_back({.name = each.server,
                     .tools = std::move(each.tools),
                     .revision = each.revision,
                     .error = std::move(each.error)});
  }
  return known;
}

json::Payload schema_of(const std::vector<gateway::KnownServer>& known, const gateway::ExplainRequest& request) {
  for (const auto& server : known) {
    for (const auto& tool : server.tools) {
      const bool is_it = server.name == request.server && tool.key == request.tool;
      if (is_it) return json::decode<protocol::Tool>(tool.text).value_or(protocol::Tool()).inputSchema;
    }
  }
  return {};
}

// In characters, not bytes.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Aligns all columns except the last. A cell wider than 40 characters does not widen its column.
std::string columns(const std::vector<std::array<std::string, 3>>& rows) {
  constexpr std::size_t widest = 40;
  std::array<std::size_t, 2> width = {};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < width.size(); ++i) {
      if (width_of(row[i]) <= widest) width[i] = std::max(width[i], width_of(row[i]));
    }
  }
  std::string text;
  for (const auto& row : rows) {
    text += fmt::format("  {:<{}}  {:<{}}  {}\n", escape_for_terminal(row[0]), width[0], escape_for_terminal(row[1]),
                        width[1], escape_for_terminal(row[2]));
  }
  return text;
}

bool same_step(const gateway::ExplainedStep& one, const gateway::ExplainedStep& other) {
  return one.step == other.step && one.at == other.at && one.summary == other.summary;
}

/// The steps of a route, without those that the route shown before has as well.
std::string steps_of(const gateway::ExplainedRoute& route, const gateway::ExplainedRoute* shown) {
  constexpr std::size_t widest_step = 36;
  std::vector<std::array<std::string, 3>> rows;
  for (const auto& step : route.steps) {
    const bool known =
        shown && std::ranges::any_of(shown->steps, [&](const auto& each) { return same_step(each, step); });
    const bool refuses = step.effect == "refuses";
    if (!known)
      rows.push_back({ellipsize(step.step, widest_step), step.at, (refuses ? "REFUSES: " : "") + step.summary});
  }
  return columns(rows) + (shown ? "  other steps: as above\n" : "");
}

std::string endpoints_text(const Explained& all) {
  std::vector<std::array<std::string, 3>> rows{
      {"clients connect by", "", all.clients},
      {"client revisions", "", fmt::format("{} to {}", protocol::revisions().front().name, protocol::newest().name)},
      {"server", "", fmt::format("{}, by {}", all.address, all.transport)},
      {"server revision", "", all.revision ? fmt::format("{} ({})", *all.revision, *all.era) : "unknown"}};
  for (const auto& setting : all.settings) rows.push_back({setting.name, "", setting.value});
  auto text = "\n" + columns(rows);
  if (all.headers.empty()) return text;
  rows.clear();
  for (const auto& header : all.headers) rows.push_back({header.name, header.value, "from " + header.from});
  return text + "\nheaders to the server\n" + columns(rows);
}

std::string as_text(const Explained& all) {
  auto text = fmt::format("'{}' of {}, for {}\n", escape_for_terminal(all.tool), all.server,
                          all.caller.empty() ? "an anonymous caller" : all.caller);
  const gateway::ExplainedRoute* shown = nullptr;
  for (const auto& route : all.routes) {
    text += fmt::format("\n{}, as '{}'\n{}  => {}\n", route.path, escape_for_terminal(route.name),
                        steps_of(route, shown), escape_for_terminal(route.verdict));
    shown = &all.routes.front();
  }
  text += endpoints_text(all);
  for (const auto& each : all.unknown) text += "\nunknown: " + each;
  return text + (all.unknown.empty() ? "" : "\n");
}

/// Converts the arguments to the tool's types and runs the dry run.
Result<Explained> explain_call(const gateway::GatewayConfig& config, ExplainOptions flags,
                               const std::vector<gateway::KnownServer>& known) {
  auto& request = flags.request;
  auto arguments = typed_arguments(flags.arguments, schema_of(known, request), request.arguments);
  if (!arguments) return std::unexpected(std::move(arguments.error()));
  request.arguments = std::move(*arguments);
  Result<Explained> explained;
  ProgramLog log({}, LogLevel::error);
  run_loop(log, [&](EventLoop loop) -> Task<int> {
    explained = gateway::explain(config, request, known, gateway::Registry::standard(), loop);
    return Task<int>(exit_code::done);
  });
  return explained;
}

int run_explain(ExplainOptions flags) {
  const auto loaded = flags.load();
  if (!loaded) return exit_code::usage;
  const auto found = find_server(loaded->config, flags.request.server);
  if (!found) return flags.usage_error(found.error().message);
  std::vector<gateway::KnownServer> known;
  if (!flags.offline) known = known_servers_of(loaded->config, flags.deadline());
  const auto explained = explain_call(loaded->config, flags, known);
  if (!explained) return flags.usage_error(explained.error().message);
  const int printed = print(flags.json() ? json::encode(*explained) + "\n" : as_text(*explained));
  const auto mine = std::ranges::find(known, found->name, &gateway::KnownServer::name);
  if (mine != known.end() && !mine->error.empty()) return flags.report_unreachable(mine->name, mine->error);
  return explained->allowed() ? printed : exit_code::failed;
}

}  // namespace

RunCommand declare_explain(Options& options) {
  auto flags = std::make_shared<ExplainOptions>();
  options.describe(
      "explain <server> <tool> [name=value...] [options]",
      "Dry run: shows what each step of the chain would do to a call, which names and headers it would have, and\n"
      "which limits apply. The call is not made.\n"
      "Exit codes: 0 it would be allowed, 1 it would be refused, 2 usage error, 3 the server does not respond.",
      explain_examples);
  options.positional("server", flags->request.server, "the server's name in the configuration", true);
  options.positional("tool", flags->request.tool, "the tool's name, on the server or for clients", true);
  options.positionals("arguments", flags->arguments, "name=value, or name:=json");
  options.text("--args", flags->request.arguments, "arguments as a JSON object; name=value adds members to it",
               "<json>");
  options.text("--as", flags->request.caller, "the caller (principal) for keys and rules", "<principal>");
  options.repeatable("--scope", flags->request.scopes, "a scope of the caller's token; repeatable", "<scope>");
  options.flag("--offline", flags->offline, "do not start or contact any server");
  flags->add_files_option(options);
  flags->add_options(options);
  return [flags] { return run_explain(*flags); };
}

}  // namespace fairlead::cli
