#include <fairlead/json/codec.hpp>
#include <fmt/format.h>
#include <sstream>
#include <utility>

#include "cli/commands.hpp"
#include "cli/live.hpp"
#include "cli/output.hpp"
#include "cli/servers_command.hpp"
#include "cli/show.hpp"
#include "cli/survey.hpp"

namespace fairlead::cli {
namespace {

constexpr auto ls_examples = R"(  fairlead ls
  fairlead ls --offline
  fairlead ls --watch
  fairlead ls --live --json --pid 4711
  fairlead ls -c team.yaml --timeout 3s --json)";

// A member of the JSON document; what was not asked for is absent.
struct ServerRow {
  std::string name, kind, address, state;
  std::optional<std::string> revision = {};
  std::optional<std::size_t> tools = {};
  std::optional<double> milliseconds = {};
  std::optional<std::string> trouble = {};
  std::optional<Diagnosis> diagnosis = {};
};

ServerRow row_of(const Sighting& seen, std::string state) {
  ServerRow row{.name = seen.name, .kind = seen.kind, .address = seen.address, .state = std::move(state)};
  if (seen.answers) {
    row.revision = seen.revision;
    row.tools = seen.tools.size();
    row.milliseconds = seen.milliseconds;
  }
  if (!seen.trouble.empty()) row.trouble = seen.trouble;
  row.diagnosis = seen.diagnosis;
  return row;
}

std::string told(const ServerRow& row) {
  auto text = fmt::format("{:<10}", row.state);
  if (row.tools) {
    text += fmt::format("{}  {:>9}  {:>6.0f} ms  ", *row.revision, counted(*row.tools, "tool"), *row.milliseconds);
  }
  text += fmt::format("{} {}", row.kind, row.address);
  if (row.trouble) text += " (" + *row.trouble + ")";
  return text;
}

// What a server printed may have several lines: they stand below its row.
void add_row(std::vector<std::pair<std::string, std::string>>& table, const ServerRow& row) {
  std::istringstream lines(told(row));
  std::string name = row.name;
  for (std::string line; std::getline(lines, line);) table.emplace_back(std::exchange(name, ""), line);
}

std::vector<ServerRow> rows_of(const gateway::GatewayConfig& config, bool offline, Duration deadline) {
  const auto enabled = offline ? std::vector<gateway::ServerConfig>() : enabled_servers(config);
  const auto seen = survey(enabled, {.deadline = deadline});
  std::vector<ServerRow> rows;
  auto next = seen.begin();
  for (const auto& server : config.servers) {
    if (server.disabled || offline) {
      rows.push_back(row_of(unseen(server), server.disabled ? "disabled" : "not asked"));
    } else {
      rows.push_back(row_of(*next, next->answers ? "ready" : "failing"));
      ++next;
    }
  }
  return rows;
}

}  // namespace

int run_ls(const Words& words) {
  ServersCommand command("ls [options]",
                         "Lists the configured servers, asks each whether it answers, and tells what it speaks.\n"
                         "With --live or --watch: asks a gateway that runs how its servers are doing.",
                         ls_examples);
  bool offline = false, live = false;
  LiveWords running;
  command.add_files_option();
  command.options().flag("--offline", offline, "start and ask nobody");
  command.options().flag("--live", live, "ask the gateway that runs instead of the servers");
  command.options().flag("--watch", running.watch, "the same every second, until Ctrl-C");
  add_control_options(command.options(), running.gateway);
  if (const auto done = command.parse(words.own, words.child)) return *done;
  running.json = command.json();
  if (live || running.watch) return show_live(running);
  const auto loaded = command.load();
  if (!loaded) return exit_code::usage;
  const auto rows = rows_of(loaded->config, offline, command.deadline());
  if (command.json()) return print(json::encode(rows) + "\n");
  std::vector<std::pair<std::string, std::string>> table;
  for (const auto& row : rows) add_row(table, row);
  return print(table.empty() ? "no server is configured; fairlead add <name> -- <command...> does that\n"
                             : show_table(table));
}

}  // namespace fairlead::cli
