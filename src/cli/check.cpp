#include <algorithm>
#include <fairlead/base/debug_switch.hpp>
#include <fairlead/json/codec.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/find_program.hpp"
#include "cli/output.hpp"
#include "cli/run_loop.hpp"
#include "cli/servers_command.hpp"
#include "cli/servers_file.hpp"
#include "cli/show.hpp"
#include "cli/survey.hpp"
#include "gateway/gateway.hpp"

namespace fairlead::cli {
namespace {

constexpr auto check_examples = R"(  fairlead check
  fairlead check chain.yaml
  fairlead check --offline team.json mine.json --json)";

/// What was found, each a line for people; the JSON document.
struct Report {
  std::vector<std::string> problems = {};
  std::vector<std::string> warnings = {};
  std::vector<std::string> unreachable = {};
  std::size_t servers = 0, tools = 0;
};

void add_lines(std::vector<std::string>& into, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) into.push_back(line);
}

std::string begin_with(const gateway::ServerConfig& server) {
  return server.at.text.empty() ? "servers." + server.name : server.at.text;
}

void try_steps(const Loop& loop, const gateway::Registry& registry, const gateway::ChainConfig& chain, Report& report) {
  for (const auto& step : chain) {
    const auto made = registry.make(step.name, step.arguments, loop);
    if (!made) report.problems.push_back(fmt::format("{}: {}", step.at.text, made.error().message));
  }
}

// Every step of every chain; then, if nothing is wrong so far, the whole.
Task<int> try_chains(Loop loop, const gateway::GatewayConfig& config, Report& report) {
  const auto registry = gateway::Registry::standard();
  try_steps(loop, registry, config.chain, report);
  for (const auto& server : enabled_servers(config)) try_steps(loop, registry, server.chain, report);
  if (!report.problems.empty()) co_return 0;
  gateway::Gateway gateway(loop, gateway::Registry::standard());
  if (const auto applied = gateway.apply(config); !applied) add_lines(report.problems, applied.error().message);
  co_await gateway.stop();
  co_return 0;
}

void check_programs(const gateway::GatewayConfig& config, Report& report) {
  for (const auto& server : enabled_servers(config)) {
    // Where it runs elsewhere, or with another PATH, only starting it can tell.
    if (server.command.empty() || !server.cwd.empty() || server.env.contains("PATH")) continue;
    if (!find_program(server.command.front()).empty()) continue;
    report.problems.push_back(fmt::format("{}: there is no program '{}'; install it, or write its whole path",
                                          begin_with(server), server.command.front()));
  }
}

void check_names(const gateway::GatewayConfig& config, const std::vector<Sighting>& seen, Report& report) {
  for (const auto& tool : offered_tools(seen, config)) {
    const auto whose = fmt::format("{}: the tool '{}'", begin_with(*config.find(tool.server)), for_terminal(tool.tool));
    const auto name = for_terminal(tool.name);
    if (tool.change == gateway::NameChange::hidden) {
      report.problems.push_back(
          fmt::format("{} is hidden by one of the same name; set merge.prefix to clash, or rename it", whose));
    } else if (tool.change == gateway::NameChange::cut) {
      report.warnings.push_back(
          fmt::format("{} is longer than {} letters and is offered as '{}'; a shorter prefix for "
                      "the server may help",
                      whose, config.merge.budget, name));
    } else if (tool.change == gateway::NameChange::twisted ||
               (tool.change == gateway::NameChange::prefixed && config.merge.prefix == gateway::PrefixPolicy::clash)) {
      report.warnings.push_back(fmt::format("{} clashes with another's and is offered as '{}'", whose, name));
    }
  }
}

/// Asks those whose entries are right.
void check_servers(const gateway::Examined& examined, Duration deadline, Report& report) {
  const auto& config = examined.loaded.config;
  auto servers = enabled_servers(config);
  std::erase_if(servers, [&](const auto& server) {
    return std::ranges::find(examined.unsound, server.name) != examined.unsound.end();
  });
  const auto seen = survey(servers, {.deadline = deadline});
  for (const auto& each : seen) {
    report.tools += each.tools.size();
    if (each.answers) continue;
    report.unreachable.push_back(
        fmt::format("{}: does not answer: {}", begin_with(*config.find(each.name)), for_terminal(each.trouble)));
  }
  check_names(config, seen, report);
}

void warn_of_no_servers(const gateway::Examined& examined, Report& report) {
  const auto& config = examined.loaded.config;
  if (!enabled_servers(config).empty() || !examined.problems.empty()) return;
  report.warnings.push_back(config.servers.empty() ? "no server is configured: clients would find no tools; name one "
                                                     "under servers, or add one with fairlead add"
                                                   : "all servers are disabled: clients would find no tools");
}

Report examine(const std::vector<std::string>& files, bool offline, Duration deadline) {
  const auto examined = gateway::examine_config(files);
  const auto& config = examined.loaded.config;
  Report report{.problems = examined.problems, .warnings = examined.loaded.warnings, .servers = config.servers.size()};
  warn_of_no_servers(examined, report);
  ProgramLog log({}, LogLevel::error);
  run_loop(log, [&](Loop loop) { return try_chains(loop, config, report); });
  check_programs(config, report);
  if (!offline) check_servers(examined, deadline, report);
  return report;
}

std::string for_people(const Report& report) {
  std::string text;
  for (const auto& line : report.problems) text += "wrong    " + line + "\n";
  for (const auto& line : report.unreachable) text += "dead     " + line + "\n";
  for (const auto& line : report.warnings) text += "warning  " + line + "\n";
  const bool fine = report.problems.empty() && report.unreachable.empty();
  const auto* const verdict = !fine ? "not fine" : report.servers == 0 ? "nothing to serve" : "fine";
  return text + fmt::format("{}, {}: {}\n", counted(report.servers, "server"), counted(report.tools, "tool"), verdict);
}

}  // namespace

int run_check(const Words& words) {
  ServersCommand command("check [file...] [options]",
                         "Reads a configuration, starts its servers, and tells everything that is wrong, with path and "
                         "line.\nExit codes: 0 fine, 1 wrong, 2 wrong usage, 3 a server does not answer.",
                         check_examples);
  bool offline = false;
  command.options().words("file", command.files(), "which files; otherwise your own");
  command.options().flag("--offline", offline, "start and ask nobody");
  if (const auto done = command.parse(words.own, words.child)) return *done;
  const auto files = servers_files(command.files());
  if (!files) return command.refuse(files.error().message);
  for (const auto& file : *files) {
    if (!std::filesystem::exists(file)) return command.refuse(fmt::format("there is no file {}", file));
  }
  const auto report = examine(*files, offline, command.deadline());
  const int printed = print(command.json() ? json::encode(report) + "\n" : for_people(report));
  if (!report.problems.empty()) return exit_code::failed;
  return report.unreachable.empty() ? printed : exit_code::unreachable;
}

}  // namespace fairlead::cli
