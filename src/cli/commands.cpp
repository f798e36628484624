#include "cli/commands.hpp"

#include <algorithm>
#include <array>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>

#include "base/nearest.hpp"
#include "cli/outline.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"
#include "gateway/config/load.hpp"

namespace fairlead::cli {
namespace {

constexpr std::array all_commands{
    Command{"serve", "put servers on HTTP, SSE and WebSocket, as one and each, as a file says", run_serve},
    Command{"connect", "bring a server at a URL to stdin and stdout", run_connect},
    Command{"key", "make a key for a client, and its line for a keys file", run_key},
    Command{"add", "write a server into the configuration", run_add},
    Command{"rm", "take a server out of the configuration", run_rm},
    Command{"ls", "list the configured servers, and whether each answers", run_ls},
    Command{"tap", "show what passes between clients and a gateway that runs, live", run_tap},
    Command{"tools", "list the tools of the configured servers", run_tools},
    Command{"explain", "tell what would become of a call, step by step, without making it", run_explain},
    Command{"pin", "approve what servers say of their tools, and see what has changed since", run_pin},
    Command{"check", "tell what is wrong with a configuration", run_check},
    Command{"doctor", "look for what keeps servers from working here, and say how to mend it", run_doctor},
    Command{"list", "list the tools, resources and prompts of a server", run_list},
    Command{"call", "call a tool", run_call},
    Command{"read", "read a resource", run_read},
    Command{"prompt", "fill in a prompt", run_prompt},
    Command{"ping", "see whether a server answers", run_ping},
    Command{"discover", "tell who a server is, what it speaks and what it can do", run_discover},
    Command{"smoke", "check that a server answers initialize, tools/list and tools/call", run_smoke},
    Command{"record", "write a whole session into a file, while it is served", run_record},
    Command{"replay", "play a recorded session, as its server or as its client", run_replay},
    Command{"bench", "measure how many calls a server answers, and how fast", run_bench},
    Command{"demo", "serve one of everything on stdin and stdout", run_demo},
    Command{"answer", "serve tools that answer questions, from the web where need be, with citations", run_answer},
    Command{"completions", "print what bash, zsh or fish need to complete words", run_completions},
    Command{"man", "print the manual page", run_man},
};

/// `-p, --port <port>`.
std::string shown_names(const OutlinedOption& option) {
  std::string names;
  for (const auto& name : option.names) names += (names.empty() ? "" : ", ") + name;
  return option.value.empty() ? names : names + " " + option.value;
}

/// The options of `fairlead -- <server command...>`, as its own page has them.
std::string bridge_options() {
  std::string text;
  for (const auto& option : outline_of(run_bridge).options) {
    if (!option.is_word) text += fmt::format("  {:<32} {}\n", shown_names(option), option.help);
  }
  return text;
}

std::string help_text() {
  std::string text = R"(usage: fairlead [options] -- <server command...>
       fairlead <command> [options] [-- <server command...>]
       fairlead '<front> | <middleware> | <server>'

Fairlead carries the Model Context Protocol (MCP) between any two ends. Without a command it serves a program that
speaks MCP on stdin and stdout over HTTP, SSE and WebSocket, to clients of every revision.

Serve one program
  fairlead -- npx -y @modelcontextprotocol/server-everything
      on http://127.0.0.1:8080/mcp, for this machine only
  fairlead --port 9000 -e TOKEN=abc --cwd /srv/data --share caller -- ./my-server --its-option
      on another port; a variable and a folder for the server; one process for each client
  fairlead key ann --keys keys.txt
  fairlead --host 0.0.0.0 --keys keys.txt --tls-cert cert.pem --tls-key key.pem -- ./my-server
      for other machines, over HTTPS, for clients that send the key which the first line prints
  fairlead --host 0.0.0.0 --insecure -- ./my-server
      for everybody who reaches the port

Options of fairlead -- <server command...>
)" + bridge_options() +
                     R"(  --version                        show the version, and the revisions of MCP that it knows

Commands (fairlead <command> --help shows more)
)";
  for (const auto& command : all_commands) text += fmt::format("  {:<11} {}\n", command.name, command.summary);
  text += R"(
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

Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 the server cannot be reached.
)";
  return text;
}

std::string version_text() {
  std::string text = fmt::format("fairlead {}\nMCP revisions:", version);
  for (const auto& revision : protocol::revisions()) text.append(" ").append(revision.name);
  return text + "\n";
}

int refuse(std::string_view argument) {
  std::vector<std::string> names;
  for (const auto& command : all_commands) names.emplace_back(command.name);
  std::string advice = "see fairlead --help";
  const auto near = nearest(argument, names);
  if (near) advice = fmt::format("did you mean '{}'? Or {}", *near, advice);
  complain(fmt::format("fairlead: there is no {} '{}'; {}", argument.starts_with('-') ? "option" : "command", argument,
                       advice));
  return exit_code::usage;
}

// Options that stand before the command belong to it as well: `fairlead --debug demo`.
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

Words words_of(const std::vector<std::string>& arguments, std::size_t command) {
  const auto name = arguments.begin() + static_cast<std::ptrdiff_t>(command);
  const auto dashes = std::find(name + 1, arguments.end(), "--");
  Words words;
  words.own.assign(name + 1, dashes);
  words.own.insert(words.own.end(), arguments.begin(), name);
  if (dashes != arguments.end()) words.child.assign(dashes + 1, arguments.end());
  return words;
}

int run_command(std::string_view name, const Words& words) {
  const auto found = std::ranges::find(all_commands, name, &Command::name);
  return found == all_commands.end() ? refuse(name) : found->run(words);
}

// `fairlead help serve` and `fairlead --help serve`.
int help(const std::vector<std::string>& arguments, std::size_t at) {
  return at + 1 >= arguments.size() ? print(help_text()) : run_command(arguments[at + 1], {.own = {"--help"}});
}

// `fairlead [options] -- command`.
Words bridge_words(const std::vector<std::string>& arguments) {
  const auto dashes = std::ranges::find(arguments, "--");
  Words words;
  words.own.assign(arguments.begin(), dashes);
  if (dashes != arguments.end()) words.child.assign(dashes + 1, arguments.end());
  return words;
}

}  // namespace

std::span<const Command> commands() {
  return all_commands;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return print(help_text());
  const auto at = leading_options(arguments);
  const auto first = at < arguments.size() ? arguments[at] : "--";
  if (first == "help" || first == "--help" || first == "-h") return help(arguments, at);
  if (first == "--version") return arguments.size() == 1 ? print(version_text()) : refuse(arguments.back());
  if (first.starts_with('-') || gateway::is_pipe(first)) return run_bridge(bridge_words(arguments));
  return run_command(first, words_of(arguments, at));
}

}  // namespace fairlead::cli
