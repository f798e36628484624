#include <algorithm>
#include <fairlead/base/debug_options.hpp>
#include <fairlead/json/codec.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/find_program.hpp"
#include "cli/output.hpp"
#include "cli/run_loop.hpp"
#include "cli/server_probe.hpp"
#include "cli/servers_command.hpp"
#include "cli/servers_file.hpp"
#include "cli/sign_in_checks.hpp"
#include "cli/to_text.hpp"
#include "gateway/gateway.hpp"

namespace fairlead::cli {
namespace {

constexpr auto check_examples = R"(  fairlead check
  fairlead check chain.yaml
  fairlead check --offline team.json mine.json --json)";

/// The findings, one line of text each. Also the JSON document.
struct CheckReport {
  std::vector<std::string> problems = {};
  std::vector<std::string> warnings = {};
  std::vector<std::string> unreachable = {};
  std::size_t servers = 0, tools = 0;
};

void add_lines(std::vector<std::string>& into, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) into.push_back(line);
}

std::string config_location(const gateway::ServerConfig& server) {
  return server.at.text.empty() ? "servers." + server.name : server.at.text;
}

void check_steps(const EventLoop& loop, const gateway::Registry& registry, const gateway::ChainConfig& chain,
                 CheckReport& report) {
  for (const auto& step : chain) {
    const auto made = registry.make(step.name, step.arguments, loop);
    if (!made) report.problems.push_back(fmt::format("{}: {}", step.at.text, made.error().message));
  }
}

// Creates every step of every chain; if all are valid, then the whole gateway.
Task<int> check_chains(EventLoop loop, const gateway::GatewayConfig& config, CheckReport& report) {
  const auto registry = gateway::Registry::standard();
  check_steps(loop, registry, config.chain, report);
  for (const auto& server : enabled_servers(config)) check_steps(loop, registry, server.chain, report);
  if (!report.problems.empty()) co_return 0;
  gateway::Gateway gateway(loop, gateway::Registry::standard());
  if (const auto applied = gateway.apply(config); !applied) add_lines(report.problems, applied.error().message);
  co_await gateway.stop();
  co_return 0;
}

/// Returns the names of the servers whose program was not found. They cannot be probed.
std::vector<std::string> check_programs(const gateway::GatewayConfig& config, CheckReport& report) {
  std::vector<std::string> missing;
  for (const auto& server : enabled_servers(config)) {
    // With another working directory or PATH, only starting the server can tell.
    if (server.command.empty() || !server.cwd.empty() || server.env.contains("PATH")) continue;
    if (!find_program(server.command.front()).empty()) continue;
    report.problems.push_back(fmt::format("{}: program '{}' not found; install it, or give its full path",
                                          config_location(server), server.command.front()));
    missing.push_back(server.name);
  }
  return missing;
}

void check_names(const gateway::GatewayConfig& config, const std::vector<ProbeResult>& seen, CheckReport& report) {
  for (const auto& tool : offered_tools(seen, config)) {
    const auto whose =
        fmt::format("{}: the tool '{}'", config_location(*config.find(tool.server)), escape_for_terminal(tool.tool));
    const auto name = escape_for_terminal(tool.name);
    if (tool.change == gateway::NameChange::hidden) {
      report.problems.push_back(
          fmt::format("{} is hidden by a tool with the same name; set naming.prefix to clash, or rename one", whose));
    } else if (tool.change == gateway::NameChange::truncated) {
      report.warnings.push_back(
          fmt::format("{} is longer than {} characters and is offered as '{}'; give the server a "
                      "shorter prefix",
                      whose, config.naming.max_length, name));
    } else if (tool.change == gateway::NameChange::disambiguated ||
               (tool.change == gateway::NameChange::prefixed && config.naming.prefix == gateway::PrefixPolicy::clash)) {
      report.warnings.push_back(fmt::format("{} clashes with another tool and is offered as '{}'", whose, name));
    }
  }
}

/// Probes the enabled servers, except those in `invalid`, whose problems are already in the report.
void check_servers(const gateway::GatewayConfig& config, const std::vector<std::string>& invalid, Duration deadline,
                   CheckReport& report) {
  auto servers = enabled_servers(config);
  std::erase_if(servers, [&](const auto& server) { return std::ranges::find(invalid, server.name) != invalid.end(); });
  const auto seen = probe_servers(servers, {.deadline = deadline});
  for (const auto& each : seen) {
    report.tools += each.tools.size();
    if (each.answers) continue;
    report.unreachable.push_back(fmt::format("{}: does not respond: {}", config_location(*config.find(each.name)),
                                             escape_for_terminal(each.error)));
  }
  check_names(config, seen, report);
  std::vector<gateway::ServerConfig> silent;
  for (const auto& each : seen) {
    if (!each.answers) silent.push_back(*config.find(each.name));
  }
  // A sign-in that the user can make is already named by the error of the server.
  for (const auto& step : check_sign_in(silent)) {
    if (step.state != "bad") continue;
    report.unreachable.push_back(
        escape_for_terminal(fmt::format("{} stops: {}; {}", step.about, step.detail, step.fix)));
  }
}

void warn_if_no_servers(const gateway::ConfigReport& examined, CheckReport& report) {
  const auto& config = examined.loaded.config;
  if (!enabled_servers(config).empty() || !examined.problems.empty()) return;
  report.warnings.push_back(config.servers.empty() ? "no server is configured: clients would find no tools; add one "
                                                     "under servers, or with fairlead add"
                                                   : "all servers are disabled: clients would find no tools");
}

CheckReport examine(const std::vector<std::string>& files, bool offline, Duration deadline) {
  const auto examined = gateway::check_config_files(files);
  const auto& config = examined.loaded.config;
  CheckReport report{
      .problems = examined.problems, .warnings = examined.loaded.warnings, .servers = config.servers.size()};
  warn_if_no_servers(examined, report);
  ProgramLog log({}, LogLevel::error);
  run_loop(log, [&](EventLoop loop) { return check_chains(loop, config, report); });
  auto invalid = check_programs(config, report);
  invalid.insert(invalid.end(), examined.invalid_servers.begin(), examined.invalid_servers.end());
  if (!offline) check_servers(config, invalid, deadline, report);
  return report;
}

std::string as_text(const CheckReport& report) {
  std::string text;
  for (const auto& line : report.problems) text += "error    " + line + "\n";
  for (const auto& line : report.unreachable) text += "no reply " + line + "\n";
  for (const auto& line : report.warnings) text += "warning  " + line + "\n";
  const bool fine = report.problems.empty() && report.unreachable.empty();
  const auto* const verdict = !fine ? "errors found" : report.servers == 0 ? "nothing to serve" : "ok";
  return text +
         fmt::format("{}, {}: {}\n", pluralize(report.servers, "server"), pluralize(report.tools, "tool"), verdict);
}

struct CheckOptions : ServersCommand {
  bool offline = false;
};

int run_check(CheckOptions flags) {
  const auto files = resolve_config_files(flags.files());
  if (!files) return flags.usage_error(files.error().message);
  for (const auto& file : *files) {
    if (!std::filesystem::exists(file)) return flags.usage_error(fmt::format("no such file: {}", file));
  }
  const auto report = examine(*files, flags.offline, flags.deadline());
  const int printed = print(flags.json() ? json::encode(report) + "\n" : as_text(report));
  if (!report.problems.empty()) return exit_code::failed;
  return report.unreachable.empty() ? printed : exit_code::unreachable;
}

}  // namespace

RunCommand declare_check(Options& options) {
  auto flags = std::make_shared<CheckOptions>();
  options.describe("check [file...] [options]",
                   "Checks a configuration, starts its servers, and lists all errors with file and line.\n"
                   "Exit codes: 0 ok, 1 errors found, 2 usage error, 3 a server does not respond.",
                   check_examples);
  options.positionals("file", flags->files(),
                      "configuration files (default: fairlead/servers.json in your configuration directory)");
  options.flag("--offline", flags->offline, "do not start or contact any server");
  flags->add_options(options);
  return [flags] { return run_check(*flags); };
}

}  // namespace fairlead::cli
