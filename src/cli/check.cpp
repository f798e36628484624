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

Task<int> try_chains(Loop loop, const gateway::GatewayConfig& config, Report& report) {
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

void check_servers(const gateway::GatewayConfig& config, Duration deadline, Report& report) {
  const auto seen = survey(enabled_servers(config), {.deadline = deadline});
  for (const auto& each : seen) {
    report.tools += each.tools.size();
    if (each.answers) continue;
    report.unreachable.push_back(
        fmt::format("{}: does not answer: {}", begin_with(*config.find(each.name)), for_terminal(each.trouble)));
  }
  check_names(config, seen, report);
}

Report examine(const std::vector<std::string>& files, bool offline, Duration deadline) {
  Report report;
  const auto loaded = gateway::load_config(files);
  if (!loaded) {
    add_lines(report.problems, loaded.error().message);
    return report;
  }
  report.warnings = loaded->warnings;
  report.servers = loaded->config.servers.size();
  ProgramLog log({}, LogLevel::error);
  run_loop(log, [&](Loop loop) { return try_chains(loop, loaded->config, report); });
  check_programs(loaded->config, report);
  if (!offline) check_servers(loaded->config, deadline, report);
  return report;
}

std::string for_people(const Report& report) {
  std::string text;
  for (const auto& line : report.problems) text += "wrong    " + line + "\n";
  for (const auto& line : report.unreachable) text += "dead     " + line + "\n";
  for (const auto& line : report.warnings) text += "warning  " + line + "\n";
  const bool fine = report.problems.empty() && report.unreachable.empty();
  return text + fmt::format("{} servers, {} tools: {}\n", report.servers, report.tools, fine ? "fine" : "not fine");
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
