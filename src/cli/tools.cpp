#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/server_options.hpp"
#include "cli/servers_command.hpp"
#include "cli/servers_file.hpp"
#include "cli/show.hpp"
#include "cli/survey.hpp"

namespace fairlead::cli {
namespace {

constexpr auto tools_examples = R"(  fairlead tools
  fairlead tools memory
  fairlead tools -c ~/.cursor/mcp.json --json)";

// Members of the JSON document.
struct ToolRow {
  std::string server, tool, name, description;
};
struct DeadRow {
  std::string server, trouble;
};
struct ToolsDocument {
  std::vector<ToolRow> tools = {};
  std::vector<DeadRow> unreachable = {};
};

ToolsDocument document_of(const std::vector<Sighting>& seen, const gateway::GatewayConfig& config,
                          const std::string& only) {
  ToolsDocument document;
  for (const auto& tool : offered_tools(seen, config)) {
    const bool offered = tool.change != gateway::NameChange::hidden;
    if (offered && (only.empty() || tool.server == only)) {
      document.tools.push_back({tool.server, tool.tool, tool.name, tool.description});
    }
  }
  for (const auto& each : seen) {
    if (!each.answers && (only.empty() || each.name == only)) document.unreachable.push_back({each.name, each.trouble});
  }
  return document;
}

std::string for_people(const ToolsDocument& document) {
  std::string text, server;
  std::vector<std::pair<std::string, std::string>> rows;
  const auto flush = [&] {
    if (!rows.empty()) text += for_terminal(server) + "\n" + show_table(rows);
    rows.clear();
  };
  for (const auto& tool : document.tools) {
    if (tool.server != server) flush();
    server = tool.server;
    const auto own = tool.name == tool.tool ? "" : fmt::format("({}) ", tool.tool);
    rows.emplace_back(tool.name, own + tool.description);
  }
  flush();
  return text;
}

}  // namespace

int run_tools(const Words& words) {
  // Of one server that is not configured there is nothing to say but what it says itself.
  if (auto rest = words; !words.child.empty() || !take_url(rest).empty()) {
    auto listed = words;
    listed.own.insert(listed.own.begin(), "tools");
    return run_list(listed);
  }
  ServersCommand command("tools [name] [options]\n       fairlead tools [options] <url> | -- <server command...>",
                         "Lists the tools of the configured servers, by the names under which the gateway offers them; "
                         "of one that\nis not configured, its own list.",
                         tools_examples);
  std::string only;
  command.options().word("name", only, "of this server only", false);
  command.add_files_option();
  if (const auto done = command.parse(words.own, words.child)) return *done;
  const auto loaded = command.load();
  if (!loaded) return exit_code::usage;
  if (!only.empty()) {
    if (const auto found = find_server(loaded->config, only); !found) return command.refuse(found.error().message);
  }
  // What one server's tools are called depends on the others.
  const auto seen = survey(enabled_servers(loaded->config), {.deadline = command.deadline()});
  const auto document = document_of(seen, loaded->config, only);
  int code = print(command.json() ? json::encode(document) + "\n" : for_people(document));
  for (const auto& dead : document.unreachable) code = command.unreachable(dead.server, dead.trouble);
  return code;
}

}  // namespace fairlead::cli
