#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/completion_scripts.hpp"
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
  return fmt::format(".TP\n.B {}\n{}\n", troff(option.title()), troff(option.help));
}

std::string command_section(const CommandSpec& command) {
  auto text = fmt::format(".SS \"fairlead {}\"\n.nf\nfairlead {}\n.fi\n.PP\n{}\n", troff(command.name),
                          troff(command.usage), troff(command.description));
  for (const auto& option : command.options) text += option_entry(option);
  return text + fmt::format(".PP\nExamples:\n.nf\n{}\n.fi\n", troff(command.examples));
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
  auto bridge = spec_of(bridge_command);
  bridge.name = "--";
  text += command_section(bridge);
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

int run_man() {
  return print(page());
}

}  // namespace

RunCommand declare_man(Options& options) {
  options.describe("man", "Prints the manual page in troff format.", "  fairlead man | man -l -");
  return run_man;
}

}  // namespace fairlead::cli
