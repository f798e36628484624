#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/server_options.hpp"
#include "cli/server_probe.hpp"
#include "cli/servers_command.hpp"
#include "cli/servers_file.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

constexpr auto tools_examples = R"(  fairlead tools
  fairlead tools memory
  fairlead tools -c ~/.cursor/mcp.json --json)";

// Members of the JSON document.
struct ToolRow {
  std::string server, tool, name, description;
};
struct UnreachableRow {
  std::string server, error;
};
struct ToolsDocument {
  std::vector<ToolRow> tools = {};
  std::vector<UnreachableRow> unreachable = {};
};

ToolsDocument document_of(const std::vector<ProbeResult>& seen, const gateway::GatewayConfig& config,
                          const std::string& only) {
  ToolsDocument document;
  for (const auto& tool : offered_tools(seen, config)) {
    const bool offered = tool.change != gateway::NameChange::hidden;
    if (offered && (only.empty() || tool.server == only)) {
      document.tools.push_back({tool.server, tool.tool, tool.name, tool.description});
    }
  }
  for (const auto& each : seen) {
    if (!each.answers && (only.empty() || each.name == only)) document.unreachable.push_back({each.name, each.error});
  }
  return document;
}

std::string as_text(const ToolsDocument& document) {
  std::string text, server;
  std::vector<std::pair<std::string, std::string>> rows;
  const auto flush = [&] {
    if (!rows.empty()) text += escape_for_terminal(server) + "\n" + format_table(rows);
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

struct ToolsOptions : ServersCommand {
  std::string only = {};
};

/// A server that is not configured has no gateway names: list its own.
std::optional<int> list_unconfigured_server(const Args& args) {
  if (auto rest = args; args.server_command.empty() && extract_url(rest).empty()) return std::nullopt;
  auto listed = args;
  listed.own.insert(listed.own.begin(), "tools");
  return run_command("list", listed);
}

int run_tools(ToolsOptions flags) {
  const auto loaded = flags.load();
  if (!loaded) return exit_code::usage;
  if (!flags.only.empty()) {
    const auto found = find_server(loaded->config, flags.only);
    if (!found) return flags.usage_error(found.error().message);
  }
  // Tool names of one server depend on the others, so that all are probed.
  const auto seen = probe_servers(enabled_servers(loaded->config), {.deadline = flags.deadline()});
  const auto document = document_of(seen, loaded->config, flags.only);
  int code = print(flags.json() ? json::encode(document) + "\n" : as_text(document));
  for (const auto& dead : document.unreachable) code = flags.report_unreachable(dead.server, dead.error);
  return code;
}

}  // namespace

RunCommand declare_tools(Options& options) {
  auto flags = std::make_shared<ToolsOptions>();
  options.describe(
      "tools [name] [options]\n       fairlead tools [options] <url> | -- <server command...>",
      "Lists the tools of the configured servers, under the names that the gateway offers; or the tools of a\n"
      "server given by URL or command.",
      tools_examples);
  options.before_parsing(list_unconfigured_server);
  options.positional("name", flags->only, "list only the tools of this server", false);
  flags->add_files_option(options);
  flags->add_options(options);
  return [flags] { return run_tools(*flags); };
}

}  // namespace fairlead::cli
