#include "cli/commands.hpp"

#include <algorithm>
#include <array>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>

#include "cli/nearest.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"

namespace fairlead::cli {
namespace {

constexpr std::array table{
    Command{"list", "list the tools, resources and prompts of a server", run_list},
    Command{"call", "call a tool", run_call},
    Command{"read", "read a resource", run_read},
    Command{"prompt", "fill in a prompt", run_prompt},
    Command{"ping", "see whether a server answers", run_ping},
    Command{"discover", "tell who a server is, what it speaks and what it can do", run_discover},
    Command{"smoke", "check that a server answers initialize, tools/list and tools/call", run_smoke},
    Command{"demo", "serve one of everything on stdin and stdout", run_demo},
};

std::string help_text() {
  std::string text = R"(usage: fairlead <command> [options] [-- server command...]

Fairlead carries the Model Context Protocol between any two ends.

Commands
)";
  for (const auto& command : table) text += fmt::format("  {:<10} {}\n", command.name, command.summary);
  text += R"(
Options
  -h, --help       show this page; behind a command, the command's own
  --version        show the version, and the revisions of MCP that it knows

Examples
  fairlead list -- npx -y @modelcontextprotocol/server-everything
  fairlead call echo text=hello -- fairlead demo
  fairlead smoke -- ./my-server --its-option

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the server cannot be reached.
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
  for (const auto& command : table) names.emplace_back(command.name);
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
  const auto found = std::ranges::find(table, name, &Command::name);
  return found == table.end() ? refuse(name) : found->run(words);
}

int help(const std::vector<std::string>& arguments) {
  return arguments.size() < 2 ? print(help_text()) : run_command(arguments[1], {.own = {"--help"}});
}

}  // namespace

std::span<const Command> commands() {
  return table;
}

int run(const std::vector<std::string>& arguments) {
  const auto at = leading_options(arguments);
  if (at >= arguments.size()) return at == 0 ? print(help_text()) : refuse(arguments.front());
  const auto& first = arguments[at];
  if (first == "help") return help(arguments);
  if (first == "--help" || first == "-h") return arguments.size() == 1 ? print(help_text()) : refuse(arguments.back());
  if (first == "--version") return arguments.size() == 1 ? print(version_text()) : refuse(arguments.back());
  return run_command(first, words_of(arguments, at));
}

}  // namespace fairlead::cli
