#pragma once

#include <span>
#include <string_view>

#include "cli/command_spec.hpp"
#include "cli/options.hpp"

namespace fairlead::cli {

namespace exit_code {
inline constexpr int done = 0;
inline constexpr int failed = 1;
inline constexpr int usage = 2;        ///< Wrong command line or configuration.
inline constexpr int unreachable = 3;  ///< The server could not be started or contacted.
}  // namespace exit_code

/// Runs a command with its parsed options, which it owns. Returns an exit code.
using RunCommand = std::function<int()>;

/// A command of the program.
struct Command {
  std::string_view name;
  std::string_view summary;
  /// Describes the command and binds its options to a struct, and does nothing else: it is also called for completions
  /// and the manual page. The returned function runs the command after the options were parsed.
  RunCommand (*declare)(Options& options);
};

RunCommand declare_add(Options& options);
RunCommand declare_answer(Options& options);
RunCommand declare_bench(Options& options);
RunCommand declare_bridge(Options& options);
RunCommand declare_call(Options& options);
RunCommand declare_check(Options& options);
RunCommand declare_completions(Options& options);
RunCommand declare_connect(Options& options);
RunCommand declare_demo(Options& options);
RunCommand declare_discover(Options& options);
RunCommand declare_doctor(Options& options);
RunCommand declare_explain(Options& options);
RunCommand declare_key(Options& options);
RunCommand declare_list(Options& options);
RunCommand declare_login(Options& options);
RunCommand declare_logout(Options& options);
RunCommand declare_ls(Options& options);
RunCommand declare_man(Options& options);
RunCommand declare_pin(Options& options);
RunCommand declare_ping(Options& options);
RunCommand declare_prompt(Options& options);
RunCommand declare_read(Options& options);
RunCommand declare_record(Options& options);
RunCommand declare_replay(Options& options);
RunCommand declare_rm(Options& options);
RunCommand declare_serve(Options& options);
RunCommand declare_skills(Options& options);
RunCommand declare_smoke(Options& options);
RunCommand declare_tap(Options& options);
RunCommand declare_tools(Options& options);
RunCommand declare_whoami(Options& options);

/// All commands, in the order of `fairlead --help`.
std::span<const Command> commands();

/// `fairlead [options] -- <server command...>`, the form without a command name.
inline constexpr Command bridge_command{"", "", declare_bridge};

/// Declares the command, without running it.
CommandSpec spec_of(const Command& command);

/// Parses the arguments and runs the command. Returns the exit code.
int run_command(std::string_view name, const Args& args);

/// Runs the program with the arguments of `main`, without the program's name. Returns the exit code.
int run(const std::vector<std::string>& arguments);

}  // namespace fairlead::cli
