#include "gateway/explain/explain.hpp"

#include <algorithm>
#include <fairlead/base/debug_switch.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/definitions.hpp"
#include "cli/output.hpp"
#include "cli/run_loop.hpp"
#include "cli/servers_command.hpp"
#include "cli/servers_file.hpp"
#include "cli/show.hpp"
#include "cli/survey.hpp"
#include "cli/terminal.hpp"
#include "cli/typed_arguments.hpp"

namespace fairlead::cli {
namespace {

using gateway::Explained;

constexpr auto explain_examples = R"(  fairlead explain memory read_graph
  fairlead explain git push branch=main --as ann -c team.yaml
  fairlead explain git push --offline --json)";

struct ExplainWords {
  gateway::ExplainQuestion question = {};
  std::vector<std::string> arguments = {};
  bool offline = false;
};

std::vector<gateway::KnownServer> known_servers_of(const gateway::GatewayConfig& config, Duration deadline) {
  std::vector<gateway::KnownServer> known;
  for (auto& each : definitions_of(enabled_servers(config), deadline)) {
    known.push_back({.name = each.server,
                     .tools = std::move(each.tools),
                     .revision = each.revision,
                     .trouble = std::move(each.trouble)});
  }
  return known;
}

json::Payload schema_of(const std::vector<gateway::KnownServer>& known, const gateway::ExplainQuestion& question) {
  for (const auto& server : known) {
    for (const auto& tool : server.tools) {
      const bool is_it = server.name == question.server && tool.key == question.tool;
      if (is_it) return json::decode<protocol::Tool>(tool.text).value_or(protocol::Tool()).inputSchema;
    }
  }
  return {};
}

Task<int> explain_it(Loop loop, const gateway::GatewayConfig& config, const gateway::ExplainQuestion& question,
                     const std::vector<gateway::KnownServer>& known, Result<Explained>* into) {
  *into = gateway::explain(config, question, known, gateway::Registry::standard(), loop);
  co_return 0;
}

// Letters, and not bytes.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Columns as wide as what is in them, but for the last; what is too wide pushes the rest aside.
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
    text += fmt::format("  {:<{}}  {:<{}}  {}\n", for_terminal(row[0]), width[0], for_terminal(row[1]), width[1],
                        for_terminal(row[2]));
  }
  return text;
}

bool same_step(const gateway::ExplainedStep& one, const gateway::ExplainedStep& other) {
  return one.step == other.step && one.at == other.at && one.says == other.says;
}

/// The steps of a way, but for those that another way has in the same words.
std::string steps_of(const gateway::ExplainedWay& way, const gateway::ExplainedWay* shown) {
  constexpr std::size_t widest_step = 36;
  std::vector<std::array<std::string, 3>> rows;
  for (const auto& step : way.steps) {
    const bool known =
        shown && std::ranges::any_of(shown->steps, [&](const auto& each) { return same_step(each, step); });
    const bool refuses = step.effect == "refuses";
    if (!known) rows.push_back({shortened(step.step, widest_step), step.at, (refuses ? "REFUSES: " : "") + step.says});
  }
  return columns(rows) + (shown ? "  the other steps are the same\n" : "");
}

std::string ends_of(const Explained& all) {
  std::vector<std::array<std::string, 3>> rows{
      {"clients come by", "", all.clients},
      {"clients speak", "", fmt::format("{} to {}", protocol::revisions().front().name, protocol::newest().name)},
      {"server", "", fmt::format("{}, by {}", all.address, all.transport)},
      {"server speaks", "", all.revision ? fmt::format("{} ({})", *all.revision, *all.era) : "not known"}};
  for (const auto& setting : all.settings) rows.push_back({setting.name, "", setting.value});
  auto text = "\n" + columns(rows);
  if (all.headers.empty()) return text;
  rows.clear();
  for (const auto& header : all.headers) rows.push_back({header.name, header.value, "from " + header.from});
  return text + "\nheaders to the server\n" + columns(rows);
}

std::string for_people(const Explained& all) {
  auto text = fmt::format("'{}' of {}, for {}\n", for_terminal(all.tool), all.server,
                          all.caller.empty() ? "nobody in particular" : all.caller);
  const gateway::ExplainedWay* shown = nullptr;
  for (const auto& way : all.ways) {
    text += fmt::format("\n{}, as '{}'\n{}  => {}\n", way.path, for_terminal(way.name), steps_of(way, shown),
                        for_terminal(way.verdict));
    shown = &all.ways.front();
  }
  text += ends_of(all);
  for (const auto& each : all.unknown) text += "\nnot known: " + each;
  return text + (all.unknown.empty() ? "" : "\n");
}

/// The question, with its arguments as the tool wants them.
Result<Explained> answer_question(const gateway::GatewayConfig& config, ExplainWords words,
                                  const std::vector<gateway::KnownServer>& known) {
  auto& question = words.question;
  auto arguments = typed_arguments(words.arguments, schema_of(known, question), question.arguments);
  if (!arguments) return std::unexpected(std::move(arguments.error()));
  question.arguments = std::move(*arguments);
  Result<Explained> explained;
  ProgramLog log({}, LogLevel::error);
  run_loop(log, [&](Loop loop) { return explain_it(loop, config, question, known, &explained); });
  return explained;
}

void add_explain_options(Options& options, ExplainWords& words) {
  options.word("server", words.question.server, "as the configuration calls it", true);
  options.word("tool", words.question.tool, "as the server calls it, or as clients do", true);
  options.words("arguments", words.arguments, "name=value, or name:=json");
  options.text("--args", words.question.arguments, "arguments as a JSON object; name=value adds to it", "<json>");
  options.text("--as", words.question.caller, "who calls, as keys and rules know them", "<principal>");
  options.flag("--offline", words.offline, "start and ask nobody");
}

}  // namespace

int run_explain(const Words& words) {
  ServersCommand command(
      "explain <server> <tool> [name=value...] [options]",
      "Tells what would become of a call, step by step, without making it: who allows or refuses it, "
      "what it is\ncalled on the way, which headers go with it, what limits it.\n"
      "Exit codes: 0 it would be allowed, 1 it would be refused, 2 wrong usage, 3 the server does "
      "not answer.",
      explain_examples);
  ExplainWords given;
  add_explain_options(command.options(), given);
  command.add_files_option();
  if (const auto done = command.parse(words.own, words.child)) return *done;
  const auto loaded = command.load();
  if (!loaded) return exit_code::usage;
  const auto found = find_server(loaded->config, given.question.server);
  if (!found) return command.refuse(found.error().message);
  std::vector<gateway::KnownServer> known;
  if (!given.offline) known = known_servers_of(loaded->config, command.deadline());
  const auto explained = answer_question(loaded->config, given, known);
  if (!explained) return command.refuse(explained.error().message);
  const int printed = print(command.json() ? json::encode(*explained) + "\n" : for_people(*explained));
  const auto mine = std::ranges::find(known, found->name, &gateway::KnownServer::name);
  if (mine != known.end() && !mine->trouble.empty()) return command.unreachable(mine->name, mine->trouble);
  return explained->allowed() ? printed : exit_code::failed;
}

}  // namespace fairlead::cli
