#include "cli/client_files.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/servers_file.hpp"

namespace fairlead::cli {
namespace {

std::optional<std::string> kept_variable(const std::string& name) {
  // One that is not set falls back to its default.
  if (!gateway::process_environment()(name)) return std::nullopt;
  return "${" + name + "}";
}

}  // namespace

std::vector<std::string> known_clients() {
  return {"claude", "cursor", "vscode"};
}

std::vector<std::string> files_of_client(std::string_view client) {
  if (client == "cursor") return {home_folder() + "/.cursor/mcp.json"};
  if (client == "vscode") return {config_folder() + "/Code/User/mcp.json"};
  // That of Claude Code, then that of Claude Desktop.
  return {home_folder() + "/.claude.json", config_folder() + "/Claude/claude_desktop_config.json"};
}

Result<gateway::Loaded> load_client(std::string_view client) {
  const auto places = files_of_client(client);
  std::vector<std::string> there;
  for (const auto& place : places) {
    if (std::filesystem::exists(place)) there.push_back(place);
  }
  if (there.empty()) {
    return fail(ErrorKind::invalid,
                fmt::format("{} has no configuration here: looked for {}", client, fmt::join(places, " and ")));
  }
  return gateway::load_config(there, kept_variable);
}

}  // namespace fairlead::cli
