#include <fairlead/json/codec.hpp>
#include <fmt/format.h>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/credentials.hpp"
#include "cli/live_status.hpp"
#include "cli/output.hpp"
#include "cli/run_loop.hpp"
#include "cli/server_probe.hpp"
#include "cli/servers_command.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

constexpr auto ls_examples = R"(  fairlead ls
  fairlead ls --offline
  fairlead ls --watch
  fairlead ls --live --json --pid 4711
  fairlead ls -c team.yaml --timeout 3s --json)";

// A member of the JSON document; values that were not fetched are absent.
struct ServerRow {
  std::string name, kind, address, state;
  std::optional<std::string> revision = {};
  std::optional<std::size_t> tools = {};
  std::optional<double> milliseconds = {};
  std::optional<std::string> login = {};
  std::optional<std::string> error = {};
  std::optional<Diagnosis> diagnosis = {};
};

ServerRow row_of(const ProbeResult& seen, std::string state) {
  ServerRow row{.name = seen.name, .kind = seen.kind, .address = seen.address, .state = std::move(state)};
  if (seen.answers) {
    row.revision = seen.revision;
    row.tools = seen.tools.size();
    row.milliseconds = seen.milliseconds;
  }
  if (!seen.error.empty()) row.error = seen.error;
  row.diagnosis = seen.diagnosis;
  return row;
}

std::string row_text(const ServerRow& row) {
  auto text = fmt::format("{:<10}", row.state);
  if (row.tools) {
    text += fmt::format("{}  {:>9}  {:>6.0f} ms  ", *row.revision, pluralize(*row.tools, "tool"), *row.milliseconds);
  }
  text += fmt::format("{} {}", row.kind, row.address);
  if (row.error) text += " (" + *row.error + ")";
  if (row.login) text += "\n" + escape_for_terminal(*row.login);
  return text;
}

// An error with several lines continues below its row.
void add_row(std::vector<std::pair<std::string, std::string>>& table, const ServerRow& row) {
  std::istringstream lines(row_text(row));
  std::string name = row.name;
  for (std::string line; std::getline(lines, line);) table.emplace_back(std::exchange(name, ""), line);
}

std::vector<ServerRow> rows_of(const gateway::GatewayConfig& config, bool offline, Duration deadline) {
  const auto enabled = offline ? std::vector<gateway::ServerConfig>() : enabled_servers(config);
  const auto seen = probe_servers(enabled, {.deadline = deadline});
  std::vector<ServerRow> rows;
  auto next = seen.begin();
  for (const auto& server : config.servers) {
    if (server.disabled || offline) {
      rows.push_back(row_of(configured_only(server), server.disabled ? "disabled" : "unchecked"));
    } else {
      rows.push_back(row_of(*next, next->answers ? "ready" : "failing"));
      ++next;
    }
  }
  return rows;
}

Task<int> load_user_logins(std::vector<auth::Stored>* into) {
  const auto store = user_store();
  auto logins = co_await store->list();
  if (logins) *into = std::move(*logins);
  co_return 0;
}

void add_logins(std::vector<ServerRow>& rows, const gateway::GatewayConfig& config) {
  std::vector<auth::Stored> logins;
  ProgramLog log({}, LogLevel::warning);
  run_loop(log, [&](const EventLoop&) { return load_user_logins(&logins); });
  for (std::size_t at = 0; at < rows.size(); ++at) rows[at].login = login_line(logins, config.servers[at]);
}

struct LsOptions : ServersCommand {
  bool offline = false, live = false;
  LiveStatusOptions running = {};
};

int run_ls(LsOptions flags) {
  flags.running.json = flags.json();
  if (flags.live || flags.running.watch) return show_live_status(flags.running);
  const auto loaded = flags.load();
  if (!loaded) return exit_code::usage;
  auto rows = rows_of(loaded->config, flags.offline, flags.deadline());
  add_logins(rows, loaded->config);
  if (flags.json()) return print(json::encode(rows) + "\n");
  std::vector<std::pair<std::string, std::string>> table;
  for (const auto& row : rows) add_row(table, row);
  return print(table.empty() ? "no server is configured; add one with fairlead add <name> -- <command...>\n"
                             : format_table(table));
}

}  // namespace

RunCommand declare_ls(Options& options) {
  auto flags = std::make_shared<LsOptions>();
  options.describe("ls [options]",
                   "Lists the configured servers, with the state and MCP revision of each.\n"
                   "With --live or --watch: shows the servers of a running gateway.",
                   ls_examples);
  flags->add_files_option(options);
  options.flag("--offline", flags->offline, "do not start or contact any server");
  options.flag("--live", flags->live, "show the state in the running gateway");
  options.flag("--watch", flags->running.watch, "like --live, updated every second until Ctrl-C");
  add_control_options(options, flags->running.gateway);
  flags->add_options(options);
  return [flags] { return run_ls(*flags); };
}

}  // namespace fairlead::cli
