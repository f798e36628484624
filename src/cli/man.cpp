#include <fmt/format.h>
#include <sstream>

#include "cli/completion_scripts.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"

namespace fairlead::cli {
namespace {

/// Text as troff takes it: a dash stays a dash, and no line is taken for a request.
std::string troff(std::string_view text) {
  std::string out;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    begins_line = c == '\n';
  }
  return out;
}

std::string option_entry(const OutlinedOption& option) {
  std::string names;
  for (const auto& name : option.names) names += (names.empty() ? "" : ", ") + name;
  if (!option.value.empty()) names += " " + option.value;
  return fmt::format(".TP\n.B {}\n{}\n", troff(names), troff(option.help));
}

std::string command_section(const OutlinedCommand& command) {
  auto text = fmt::format(".SS \"fairlead {}\"\n.nf\nfairlead {}\n.fi\n.PP\n{}\n", troff(command.name),
                          troff(command.outline.usage), troff(command.outline.summary));
  for (const auto& option : command.outline.options) text += option_entry(option);
  return text + fmt::format(".PP\nExamples:\n.nf\n{}\n.fi\n", troff(command.outline.examples));
}

std::string page() {
  auto text = fmt::format(R"(.TH FAIRLEAD 1 "" "fairlead {}" "User Commands"
.SH NAME
fairlead \- carries the Model Context Protocol between any two ends
.SH SYNOPSIS
.nf
fairlead [options] \-\- <server command...>
fairlead <command> [options]
fairlead '<front> | <middleware> | <server>'
.fi
.SH COMMANDS
)",
                          version);
  const auto bridge = outline_of(run_bridge);
  text += command_section({.name = "--", .summary = "", .outline = bridge});
  for (const auto& command : outlined_commands()) text += command_section(command);
  text += R"(.SH "EXIT STATUS"
0 done, 1 failed, 2 wrong usage, 3 a server cannot be reached.
.SH FILES
.TP
.I ~/.config/fairlead/servers.json
The servers of commands that are given no file; $XDG_CONFIG_HOME moves it.
)";
  return text;
}

}  // namespace

int run_man(const Words& words) {
  Options options("man", "Prints the manual page, as troff.", "  fairlead man | man -l -");
  if (const auto done = options.parse(words.own)) return *done;
  return print(page());
}

}  // namespace fairlead::cli
