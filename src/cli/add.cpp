#include <fairlead/json/codec.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "base/read_file.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/server_options.hpp"
#include "cli/servers_file.hpp"
#include "config/replace_file.hpp"
#include "gateway/config/edit.hpp"
#include "gateway/config/load.hpp"

namespace fairlead::cli {
namespace {

constexpr auto add_examples = R"(  fairlead add memory -- npx -y @modelcontextprotocol/server-memory
  fairlead add git -e GIT_TOKEN='${GIT_TOKEN}' -- uvx mcp-server-git
  fairlead add docs --url https://docs.example/mcp -H 'X-Team: blue'
  fairlead add --from claude)";

constexpr auto rm_examples = R"(  fairlead rm memory
  fairlead rm git -c team.yaml)";

constexpr auto rm_usage = "name the server, as in fairlead rm memory";

struct EditConfigOptions {
  std::vector<std::string> names = {}, command = {};
  std::string file = default_servers_file(), url = {}, from = {}, directory = {};
  std::vector<std::string> environment = {}, headers = {};
  bool json = false;
};

/// What a command changed in a file. Printed as JSON with --json.
struct ConfigFileChange {
  std::string file;
  std::vector<std::string> added = {}, removed = {}, skipped = {};
};

std::optional<std::string> keep_variable(const std::string& name) {
  // An unset variable is replaced by its default.
  if (!config::process_environment()(name)) return std::nullopt;
  return "${" + name + "}";
}

/// Clients whose configuration can be imported.
std::vector<std::string> importable_clients() {
  return {"claude", "cursor", "vscode"};
}

/// Paths of a client's configuration files on Linux.
std::vector<std::string> client_config_paths(std::string_view client) {
  if (client == "cursor") return {home_directory() + "/.cursor/mcp.json"};
  if (client == "vscode") return {config_directory() + "/Code/User/mcp.json"};
  // Claude Code, then Claude Desktop.
  return {home_directory() + "/.claude.json", config_directory() + "/Claude/claude_desktop_config.json"};
}

/// Loads a client's servers. References to environment variables are kept, so that no secret is copied into a file.
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

int edit_failed(std::string_view command, std::string_view why) {
  return report_error(command, why, exit_code::failed);
}

Result<config::Document> open_document(const std::string& path) {
  if (!std::filesystem::exists(path)) return config::Document{path, ""};
  auto text = read_file(path);
  if (!text) return fail(ErrorKind::invalid, path + ": " + text.error().message);
  return config::Document{path, *std::move(text)};
}

// An entry may name a variable that is not set yet: the check substitutes the variable's own name.
std::optional<std::string> any_variable(const std::string& name) {
  const auto value = config::process_environment()(name);
  return value ? value : name;
}

Result<void> write_document(const config::Document& document) {
  const std::vector documents{document};
  const auto read = gateway::read_config(documents, {.environment = any_variable, .read_file = read_file});
  if (!read) return std::unexpected(read.error());
  const auto directory = std::filesystem::path(document.name).parent_path();
  std::error_code error;
  if (!directory.empty() && std::filesystem::create_directories(directory, error)) {
    std::filesystem::permissions(directory, std::filesystem::perms::owner_all, error);
  }
  return config::replace_file(document.name, document.text);
}

int report(const ConfigFileChange& change, bool json) {
  if (json) return print(json::encode(change) + "\n");
  std::string text;
  if (!change.added.empty()) text += fmt::format("added to {}: {}\n", change.file, fmt::join(change.added, ", "));
  if (!change.removed.empty())
    text += fmt::format("removed from {}: {}\n", change.file, fmt::join(change.removed, ", "));
  if (!change.skipped.empty()) text += fmt::format("already there: {}\n", fmt::join(change.skipped, ", "));
  return print(text.empty() ? "nothing to do\n" : text);
}

Result<gateway::ServerConfig> server_from_options(const EditConfigOptions& flags) {
  gateway::ServerConfig server{.name = flags.names.front(), .command = flags.command};
  server.url = flags.url;
  server.cwd = flags.directory;
  auto environment = read_settings(flags.environment);
  if (!environment) return std::unexpected(environment.error());
  server.env = *std::move(environment);
  const auto http = http_client_options({.headers = flags.headers});
  if (!http) return std::unexpected(http.error());
  for (const auto& header : http->headers) server.headers.emplace(header.name, header.value);
  return server;
}

int add_servers(const EditConfigOptions& flags, const std::vector<gateway::ServerConfig>& servers) {
  auto document = open_document(flags.file);
  if (!document) return edit_failed("add", document.error().message);
  ConfigFileChange change{.file = flags.file};
  for (const auto& server : servers) {
    const auto edited = gateway::add_server(*document, server);
    const bool known = !edited && edited.error().kind == ErrorKind::invalid && !flags.from.empty();
    if (!edited && !known) return edit_failed("add", edited.error().message);
    if (edited) document->text = *edited;
    (edited ? change.added : change.skipped).push_back(server.name);
  }
  if (!change.added.empty()) {
    if (const auto written = write_document(*document); !written) return edit_failed("add", written.error().message);
  }
  return report(change, flags.json);
}

int import(const EditConfigOptions& flags) {
  const auto loaded = load_client_config(flags.from);
  if (!loaded) return edit_failed("add", loaded.error().message);
  std::vector<gateway::ServerConfig> servers;
  for (const auto& name : flags.names) {
    auto server = find_server(loaded->config, name);
    if (!server) return edit_failed("add", fmt::format("{}: {}", flags.from, server.error().message));
    servers.push_back(*std::move(server));
  }
  if (flags.names.empty()) {
    for (const auto& server : loaded->config.servers) {
      if (!server.disabled) servers.push_back(server);
    }
  }
  if (servers.empty()) return edit_failed("add", flags.from + " has no servers");
  return add_servers(flags, servers);
}

/// Server names are part of URLs (`/s/<name>/mcp`), prefixes of tool names, and YAML keys.
bool is_server_name(std::string_view name) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  return !name.empty() && name.find_first_not_of(allowed) == std::string_view::npos && !name.starts_with('.');
}

/// What is wrong with the command line; empty if nothing is.
std::string add_usage_problem(const EditConfigOptions& flags) {
  const bool has_command = !flags.command.empty();
  if (!flags.from.empty())
    return has_command || !flags.url.empty() ? "--from cannot be combined with --url or a server command" : "";
  if (flags.names.size() != 1) return "give one name, as in fairlead add memory -- npx -y some-server";
  if (!is_server_name(flags.names.front())) {
    return fmt::format("'{}' is not a name for a server: use letters, digits, '-', '_' and '.'", flags.names.front());
  }
  if (has_command == !flags.url.empty()) return "give the server's command after --, or its URL with --url";
  if (has_command && !flags.headers.empty()) return "-H needs --url; for a command use -e NAME=value";
  if (!has_command && !flags.environment.empty()) return "-e needs a command; for a --url use -H 'Name: value'";
  return "";
}

int run_add(EditConfigOptions flags) {
  if (const auto wrong = add_usage_problem(flags); !wrong.empty()) return usage_error("add", wrong);
  if (!flags.from.empty()) return import(flags);
  const auto server = server_from_options(flags);
  return server ? add_servers(flags, {*server}) : usage_error("add", server.error().message);
}

int run_rm(EditConfigOptions flags) {
  if (flags.names.empty()) return usage_error("rm", rm_usage);
  auto document = open_document(flags.file);
  if (!document) return edit_failed("rm", document.error().message);
  for (const auto& name : flags.names) {
    auto edited = gateway::remove_server(*document, name);
    if (!edited)
      return edit_failed("rm", edited.error().message + "; fairlead ls --offline lists the configured servers");
    document->text = *std::move(edited);
  }
  if (const auto written = write_document(*document); !written) return edit_failed("rm", written.error().message);
  return report({.file = flags.file, .removed = flags.names}, flags.json);
}

}  // namespace

RunCommand declare_add(Options& options) {
  auto flags = std::make_shared<EditConfigOptions>();
  options.describe("add <name> [options] -- <command...> | --url <url>",
                   "Adds a server to a configuration file and leaves the rest of the file unchanged.", add_examples);
  options.positionals("name", flags->names, "the server's name; with --from: the servers to import (default: all)");
  options.text("-c,--config", flags->file,
               "the configuration file (default: fairlead/servers.json in your configuration directory)", "<file>");
  options.text("--url", flags->url, "the server's URL, instead of a command", "<url>");
  options.repeatable("-e,--env", flags->environment,
                     "an environment variable for the command; '${NAME}' is expanded at start", "<name=value>");
  options.repeatable("-H,--header", flags->headers, "a header to send with every request to the URL", "<name: value>");
  options.text("--cwd", flags->directory, "the working directory of the command", "<directory>");
  options.choice("--from", flags->from, "import servers from the configuration of another client",
                 importable_clients());
  options.flag("--json", flags->json, "print one JSON document instead of text for people");
  options.server_command(flags->command);
  return [flags] { return run_add(*flags); };
}

RunCommand declare_rm(Options& options) {
  auto flags = std::make_shared<EditConfigOptions>();
  options.describe("rm <name>... [options]", "Removes servers from a configuration file.", rm_examples);
  options.positionals("name", flags->names, "the servers to remove");
  options.text("-c,--config", flags->file,
               "the configuration file (default: fairlead/servers.json in your configuration directory)", "<file>");
  options.flag("--json", flags->json, "print one JSON document instead of text for people");
  options.no_server_command(rm_usage);
  return [flags] { return run_rm(*flags); };
}

}  // namespace fairlead::cli
