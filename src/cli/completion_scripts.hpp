#pragma once

#include "cli/command_spec.hpp"

/// Completion scripts for shells, generated from the command specifications.
namespace fairlead::cli {

/// The specifications of all commands.
std::vector<CommandSpec> all_command_specs();

/// The specification of `fairlead [options] -- <server command...>`, with `--version`.
CommandSpec bridge_command_spec();

// `bridge` is the form without a command name; its options are offered if the first argument starts with a dash.
std::string bash_script(const std::vector<CommandSpec>& commands, const CommandSpec& bridge = {});
std::string zsh_script(const std::vector<CommandSpec>& commands, const CommandSpec& bridge = {});
std::string fish_script(const std::vector<CommandSpec>& commands, const CommandSpec& bridge = {});

}  // namespace fairlead::cli
