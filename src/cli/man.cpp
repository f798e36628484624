#include <fmt/format.h>
#include <sstream>

#include "cli/completion_scripts.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"

namespace fairlead::cli {
namespace {

/// Escapes text for troff: dashes, backslashes, and lines that start like a request.
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

std::string option_entry(const OptionSpec& option) {
  std::string names;
  for (const auto& name : option.names) names += (names.empty() ? "" : ", ") + name;
  if (!option.value.empty()) names += " " + option.value;
  return fmt::format(".TP\n.B {}\n{}\n", troff(names), troff(option.help));
}

std::string command_section(const NamedCommandSpec& command) {
  auto text = fmt::format(".SS \"fairlead {}\"\n.nf\nfairlead {}\n.fi\n.PP\n{}\n", troff(command.name),
                          troff(command.outline.usage), troff(command.outline.summary));
  for (const auto& option : command.outline.options) text += option_entry(option);
  return text + fmt::format(".PP\nExamples:\n.nf\n{}\n.fi\n", troff(command.outline.examples));
}

std::string page() {
  auto text = fmt::format(R"(.TH FAIRLEAD 1 "" "fairlead {}" "User Commands"
.SH NAME
fairlead \- gateway and toolbox for the Model Context Protocol
.SH SYNOPSIS
.nf
fairlead [options] \-\- <server command...>
fairlead <command> [options]
fairlead '<listen address> | <middleware> | <server>'
.fi
.SH COMMANDS
)",
                          version);
  const auto bridge = command_spec_of(run_bridge);
  text += command_section({.name = "--", .summary = "", .outline = bridge});
  for (const auto& command : all_command_specs()) text += command_section(command);
  text += R"(.SH "EXIT STATUS"
0 success, 1 failure, 2 usage or configuration error, 3 server unreachable.
.SH FILES
.TP
.I ~/.config/fairlead/servers.json
Default configuration file; $XDG_CONFIG_HOME replaces ~/.config.
)";
  return text;
}

}  // namespace

int run_man(const Args& args) {
  Options options("man", "Prints the manual page in troff format.", "  fairlead man | man -l -");
  if (const auto done = options.parse(args.own)) return *done;
  return print(page());
}

}  // namespace fairlead::cli
