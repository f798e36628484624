#include "cli/commands.hpp"

#include <algorithm>
#include <array>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>

#include "base/closest_match.hpp"
#include "cli/output.hpp"
#include "cli/server_options.hpp"
#include "cli/version.hpp"
#include "gateway/config/load.hpp"

namespace fairlead::cli {
namespace {

constexpr std::array all_commands{
    Command{"serve", "Serve the configured servers over HTTP, SSE and WebSocket", declare_serve},
    Command{"connect", "Connect stdin and stdout to a server at a URL", declare_connect},
    Command{"login", "Sign in to a server that requires OAuth", declare_login},
    Command{"logout", "Sign out: revoke and delete the tokens of a server", declare_logout},
    Command{"whoami", "Show the servers that you are signed in to", declare_whoami},
    Command{"key", "Create an API key for a client, and its line for a keys file", declare_key},
    Command{"add", "Add a server to the configuration", declare_add},
    Command{"rm", "Remove a server from the configuration", declare_rm},
    Command{"ls", "List the configured servers and their state", declare_ls},
    Command{"tap", "Show the live traffic of a running gateway", declare_tap},
    Command{"tools", "List the tools of the configured servers", declare_tools},
    Command{"explain", "Dry run: show what each step would do to a call", declare_explain},
    Command{"pin", "Approve tool definitions, and show what changed since", declare_pin},
    Command{"check", "Check a configuration for errors", declare_check},
    Command{"doctor", "Diagnose why servers do not work on this machine", declare_doctor},
    Command{"list", "List the tools, resources and prompts of a server", declare_list},
    Command{"call", "Call a tool", declare_call},
    Command{"read", "Read a resource", declare_read},
    Command{"prompt", "Get a prompt", declare_prompt},
    Command{"ping", "Check whether a server responds", declare_ping},
    Command{"discover", "Show the name, revision and capabilities of a server", declare_discover},
    Command{"skills", "List, check, read and serve Agent Skills", declare_skills},
    Command{"smoke", "Smoke test: send initialize, tools/list and tools/call", declare_smoke},
    Command{"record", "Serve a server and record the session to a file", declare_record},
    Command{"replay", "Replay a recorded session, as its server or as its client", declare_replay},
    Command{"bench", "Measure the throughput and latency of a server", declare_bench},
    Command{"demo", "Serve a demo server that shows each MCP feature", declare_demo},
    Command{"answer", "Serve tools that answer questions, with web search and citations", declare_answer},
    Command{"completions", "Print the completion script for bash, zsh or fish", declare_completions},
    Command{"man", "Print the manual page", declare_man},
};

/// The options of `fairlead -- <server command...>`, formatted as on its own help page.
std::string bridge_options_help() {
  std::string text;
  for (const auto& option : spec_of(bridge_command).options) {
    if (!option.is_positional) text += fmt::format("  {:<32} {}\n", option.title(), option.help);
  }
  return text;
}

constexpr auto command_examples = R"(
Examples of commands
  fairlead connect https://example.com/mcp
  fairlead add memory -- npx -y @modelcontextprotocol/server-memory
  fairlead tools
  fairlead call memory.read_graph
  fairlead explain memory read_graph
  fairlead serve
  fairlead tap tool:search status:error
  fairlead 'http://:8000 | timeout(30s) | stdio:npx -y @modelcontextprotocol/server-memory'
  fairlead list -- npx -y @modelcontextprotocol/server-everything
  fairlead call echo text=hello -- fairlead demo
  fairlead smoke -- ./my-server --its-option

Exit codes: 0 success, 1 failure, 2 usage or configuration error, 3 server unreachable.
)";

std::string help_text() {
  std::string text = R"(usage: fairlead [options] -- <server command...>
       fairlead [options] <url>
       fairlead <command> [options] [-- <server command...>]
       fairlead '<listen address> | <middleware> | <server>'

Fairlead is a gateway and a toolbox for the Model Context Protocol (MCP). Without a command name it starts an MCP
server that uses stdin and stdout, and serves it over HTTP, SSE and WebSocket to clients of every MCP revision.

Serve one program
  fairlead -- npx -y @modelcontextprotocol/server-everything
      on http://127.0.0.1:8080/mcp, reachable from this machine only
  fairlead --port 9000 -e TOKEN=abc --cwd /srv/data --share caller -- ./my-server --its-option
      on port 9000, with an environment variable and a working directory; one server process per client
  fairlead key ann --keys keys.txt
  fairlead --host 0.0.0.0 --keys keys.txt --tls-cert cert.pem --tls-key key.pem -- ./my-server
      over HTTPS for other machines; clients must send the API key that the first command prints
  fairlead --host 0.0.0.0 --insecure -- ./my-server
      for other machines, without authentication

Options of fairlead -- <server command...>
)" + bridge_options_help() +
                     R"(  --version                        show the version and the supported MCP revisions

Commands (see fairlead <command> --help)
)";
  for (const auto& command : commands()) text += fmt::format("  {:<11} {}\n", command.name, command.summary);
  return text + command_examples;
}

std::string version_text() {
  std::string text = fmt::format("fairlead {}\nMCP revisions:", version);
  for (const auto& revision : protocol::revisions()) text.append(" ").append(revision.name);
  return text + "\n";
}

int unknown_command_error(std::string_view argument) {
  std::vector<std::string> names;
  for (const auto& command : all_commands) names.emplace_back(command.name);
  std::string advice = "see fairlead --help";
  const auto near = closest_match(argument, names);
  if (near) advice = fmt::format("did you mean '{}'? Or {}", *near, advice);
  print_stderr(
      fmt::format("fairlead: unknown {} '{}'; {}", argument.starts_with('-') ? "option" : "command", argument, advice));
  return exit_code::usage;
}

// Options before the command name belong to the command too: `fairlead --debug demo`.
std::size_t leading_options(const std::vector<std::string>& arguments) {
  std::size_t count = 0;
  while (count < arguments.size()) {
    if (arguments[count] == "--config" && count + 1 < arguments.size()) {
      count += 2;
    } else if (arguments[count].starts_with("--debug") || arguments[count].starts_with("--config=")) {
      ++count;
    } else {
      break;
    }
  }
  return count;
}

Args split_at_dashes(const std::vector<std::string>& arguments) {
  const auto dashes = std::ranges::find(arguments, "--");
  Args args{.own = {arguments.begin(), dashes}};
  if (dashes != arguments.end()) args.server_command.assign(dashes + 1, arguments.end());
  return args;
}

Args args_after_command(const std::vector<std::string>& arguments, std::size_t command) {
  const auto name = arguments.begin() + static_cast<std::ptrdiff_t>(command);
  auto args = split_at_dashes({name + 1, arguments.end()});
  args.own.insert(args.own.end(), arguments.begin(), name);
  return args;
}

int run_declared(const Command& command, const Args& args) {
  Options options;
  const auto run = command.declare(options);
  const auto done = options.parse(args);
  return done ? *done : run();
}

// `fairlead help serve` and `fairlead --help serve`.
int help(const std::vector<std::string>& arguments, std::size_t at) {
  return at + 1 >= arguments.size() ? print(help_text()) : run_command(arguments[at + 1], {.own = {"--help"}});
}

}  // namespace

std::span<const Command> commands() {
  return all_commands;
}

CommandSpec spec_of(const Command& command) {
  Options options;
  const auto owner = command.declare(options);  // Of the struct that the options refer to.
  auto spec = options.spec();
  spec.name = command.name;
  spec.summary = command.summary;
  return spec;
}

int run_command(std::string_view name, const Args& args) {
  const auto* const found = std::ranges::find(all_commands, name, &Command::name);
  return found == all_commands.end() ? unknown_command_error(name) : run_declared(*found, args);
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return print(help_text());
  const auto at = leading_options(arguments);
  const auto first = at < arguments.size() ? arguments[at] : "--";
  if (first == "help" || first == "--help" || first == "-h") return help(arguments, at);
  if (first == "--version")
    return arguments.size() == 1 ? print(version_text()) : unknown_command_error(arguments.back());
  if (first.starts_with('-') || gateway::is_pipe(first) || is_url(first))
    return run_declared(bridge_command, split_at_dashes(arguments));
  return run_command(first, args_after_command(arguments, at));
}

}  // namespace fairlead::cli
