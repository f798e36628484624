#include "cli/client_files.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/servers_file.hpp"

namespace fairlead::cli {
namespace {

std::optional<std::string> keep_variable(const std::string& name) {
  // An unset variable is replaced by its default.
  if (!config::process_environment()(name)) return std::nullopt;
  return "${" + name + "}";
}

}  // namespace

std::vector<std::string> importable_clients() {
  return {"claude", "cursor", "vscode"};
}

std::vector<std::string> client_config_paths(std::string_view client) {
  if (client == "cursor") return {home_directory() + "/.cursor/mcp.json"};
  if (client == "vscode") return {config_directory() + "/Code/User/mcp.json"};
  // Claude Code, then Claude Desktop.
  return {home_directory() + "/.claude.json", config_directory() + "/Claude/claude_desktop_config.json"};
}

Result<gateway::LoadedConfig> load_client_config(std::string_view client) {
  const auto places = client_config_paths(client);
  std::vector<std::string> there;
  for (const auto& place : places) {
    if (std::filesystem::exists(place)) there.push_back(place);
  }
  if (there.empty()) {
    return fail(ErrorKind::invalid,
                fmt::format("no configuration of {} found; looked for {}", client, fmt::join(places, " and ")));
  }
  return gateway::load_config(there, keep_variable);
}

}  // namespace fairlead::cli
