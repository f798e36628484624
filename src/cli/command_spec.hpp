#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace fairlead::cli {

/// An option or positional argument of a command.
struct OptionSpec {
  std::vector<std::string> names = {};  ///< `-c` and `--config`.
  std::string value = {};  ///< Placeholder such as `<file>`, or choices such as `bash|zsh`; empty if it takes no value.
  std::string help = {};
  bool is_positional = false;
};

/// Usage, options and examples of a command, for completions and the manual page.
struct CommandSpec {
  std::string usage = {}, summary = {}, examples = {};
  std::vector<OptionSpec> options = {};
};

/// Runs the command until it parses its options, and returns these. Every command must parse before it does anything
/// else.
CommandSpec command_spec_of(int (*command)(const Args&));

/// The choices of an option; empty if any value is allowed.
std::vector<std::string> option_choices(const OptionSpec& option);

}  // namespace fairlead::cli
