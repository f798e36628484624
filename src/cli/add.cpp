#include <fairlead/json/codec.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "cli/client_files.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/server_options.hpp"
#include "cli/servers_file.hpp"
#include "gateway/config/edit.hpp"
#include "gateway/config/replace_file.hpp"

namespace fairlead::cli {
namespace {

constexpr auto add_examples = R"(  fairlead add memory -- npx -y @modelcontextprotocol/server-memory
  fairlead add git -e GIT_TOKEN='${GIT_TOKEN}' -- uvx mcp-server-git
  fairlead add docs --url https://docs.example/mcp -H 'X-Team: blue'
  fairlead add --from claude)";

constexpr auto rm_examples = R"(  fairlead rm memory
  fairlead rm git -c team.yaml)";

struct AddWords {
  std::vector<std::string> names = {};
  std::string file = {}, url = {}, from = {}, directory = {};
  std::vector<std::string> environment = {}, headers = {};
  bool json = false;
};

/// What a command did to a file.
struct Change {
  std::string file;
  std::vector<std::string> added = {}, removed = {}, skipped = {};
};

int refuse(std::string_view command, std::string_view why) {
  complain(fmt::format("fairlead {}: {}; see fairlead {} --help", command, why, command));
  return exit_code::usage;
}

int fail_with(std::string_view command, std::string_view why) {
  complain(fmt::format("fairlead {}: {}", command, why));
  return exit_code::failed;
}

Result<gateway::Document> open_document(const std::string& path) {
  if (!std::filesystem::exists(path)) return gateway::Document{path, ""};
  auto text = gateway::read_file(path);
  if (!text) return fail(ErrorKind::invalid, path + ": " + text.error().message);
  return gateway::Document{path, *std::move(text)};
}

// A variable that is not set yet is no reason to refuse the entry that names it.
std::optional<std::string> any_variable(const std::string& name) {
  const auto value = gateway::process_environment()(name);
  return value ? value : name;
}

Result<void> write_document(const gateway::Document& document) {
  const std::vector documents{document};
  const auto read = gateway::read_config(documents, {.environment = any_variable, .read_file = gateway::read_file});
  if (!read) return std::unexpected(read.error());
  const auto folder = std::filesystem::path(document.name).parent_path();
  std::error_code error;
  if (!folder.empty() && std::filesystem::create_directories(folder, error)) {
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  }
  return gateway::replace_file(document.name, document.text);
}

int report(const Change& change, bool json) {
  if (json) return print(json::encode(change) + "\n");
  std::string text;
  if (!change.added.empty()) text += fmt::format("added to {}: {}\n", change.file, fmt::join(change.added, ", "));
  if (!change.removed.empty())
    text += fmt::format("removed from {}: {}\n", change.file, fmt::join(change.removed, ", "));
  if (!change.skipped.empty()) text += fmt::format("already there: {}\n", fmt::join(change.skipped, ", "));
  return print(text.empty() ? "nothing to do\n" : text);
}

Result<gateway::ServerConfig> described(const AddWords& words, const std::vector<std::string>& command) {
  gateway::ServerConfig server{.name = words.names.front(), .command = command};
  server.url = words.url;
  server.cwd = words.directory;
  auto environment = read_settings(words.environment);
  if (!environment) return std::unexpected(environment.error());
  server.env = *std::move(environment);
  const auto http = choose_http({.headers = words.headers});
  if (!http) return std::unexpected(http.error());
  for (const auto& header : http->headers) server.headers.emplace(header.name, header.value);
  return server;
}

int add_servers(const AddWords& words, const std::vector<gateway::ServerConfig>& servers) {
  auto document = open_document(words.file);
  if (!document) return fail_with("add", document.error().message);
  Change change{.file = words.file};
  for (const auto& server : servers) {
    const auto edited = gateway::add_server(*document, server);
    const bool known = !edited && edited.error().kind == ErrorKind::invalid && !words.from.empty();
    if (!edited && !known) return fail_with("add", edited.error().message);
    if (edited) document->text = *edited;
    (edited ? change.added : change.skipped).push_back(server.name);
  }
  if (!change.added.empty()) {
    if (const auto written = write_document(*document); !written) return fail_with("add", written.error().message);
  }
  return report(change, words.json);
}

int import(const AddWords& words) {
  const auto loaded = load_client(words.from);
  if (!loaded) return fail_with("add", loaded.error().message);
  std::vector<gateway::ServerConfig> servers;
  for (const auto& name : words.names) {
    auto server = find_server(loaded->config, name);
    if (!server) return fail_with("add", fmt::format("{}: {}", words.from, server.error().message));
    servers.push_back(*std::move(server));
  }
  if (words.names.empty()) {
    for (const auto& server : loaded->config.servers) {
      if (!server.disabled) servers.push_back(server);
    }
  }
  if (servers.empty()) return fail_with("add", words.from + " has no servers");
  return add_servers(words, servers);
}

/// Names stand in URLs (`/s/<name>/mcp`), before the names of tools, and as keys of YAML.
bool is_server_name(std::string_view name) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  return !name.empty() && name.find_first_not_of(allowed) == std::string_view::npos && !name.starts_with('.');
}

/// What is wrong with the words, if anything is.
std::string flaw(const AddWords& words, bool has_command) {
  if (!words.from.empty()) return has_command || !words.url.empty() ? "--from takes no server besides" : "";
  if (words.names.size() != 1) return "give one name, as in fairlead add memory -- npx -y some-server";
  if (!is_server_name(words.names.front())) {
    return fmt::format("'{}' is not a name for a server: use letters, digits, '-', '_' and '.'", words.names.front());
  }
  if (has_command == !words.url.empty()) return "write the server's command behind --, or its address with --url";
  if (has_command && !words.headers.empty()) return "-H is for a server at a --url; a command takes -e NAME=value";
  if (!has_command && !words.environment.empty())
    return "-e is for a command; a server at a --url takes -H 'Name: value'";
  return "";
}

}  // namespace

int run_add(const Words& words) {
  Options options("add <name> [options] -- <command...> | --url <url>",
                  "Writes a server into a configuration, and leaves the rest of the file as it is.", add_examples);
  AddWords add{.file = default_servers_file()};
  options.words("name", add.names, "what to call it; with --from which ones to take, otherwise all");
  options.text("-c,--config", add.file, "which file; otherwise fairlead/servers.json in your configuration folder",
               "<file>");
  options.text("--url", add.url, "where the server is, instead of a command", "<url>");
  options.list("-e,--env", add.environment, "a variable for the command; '${NAME}' is filled in when it is started",
               "<name=value>");
  options.list("-H,--header", add.headers, "a header for every request to the URL", "<name: value>");
  options.text("--cwd", add.directory, "the folder that the command runs in", "<folder>");
  options.choice("--from", add.from, "take over what another program has configured", known_clients());
  options.flag("--json", add.json, "print one JSON document instead of text for people");
  if (const auto done = options.parse(words.own)) return *done;
  if (const auto wrong = flaw(add, !words.child.empty()); !wrong.empty()) return refuse("add", wrong);
  if (!add.from.empty()) return import(add);
  const auto server = described(add, words.child);
  return server ? add_servers(add, {*server}) : refuse("add", server.error().message);
}

int run_rm(const Words& words) {
  Options options("rm <name>... [options]", "Takes servers out of a configuration.", rm_examples);
  AddWords rm{.file = default_servers_file()};
  options.words("name", rm.names, "which ones");
  options.text("-c,--config", rm.file, "which file; otherwise fairlead/servers.json in your configuration folder",
               "<file>");
  options.flag("--json", rm.json, "print one JSON document instead of text for people");
  if (const auto done = options.parse(words.own)) return *done;
  if (rm.names.empty() || !words.child.empty()) return refuse("rm", "name the server, as in fairlead rm memory");
  auto document = open_document(rm.file);
  if (!document) return fail_with("rm", document.error().message);
  for (const auto& name : rm.names) {
    auto edited = gateway::remove_server(*document, name);
    if (!edited) return fail_with("rm", edited.error().message + "; fairlead ls --offline shows what there is");
    document->text = *std::move(edited);
  }
  if (const auto written = write_document(*document); !written) return fail_with("rm", written.error().message);
  return report({.file = rm.file, .removed = rm.names}, rm.json);
}

}  // namespace fairlead::cli
