#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::cli {

namespace exit_code {
inline constexpr int done = 0;
inline constexpr int failed = 1;
inline constexpr int usage = 2;        ///< Wrong command line or configuration.
inline constexpr int unreachable = 3;  ///< The server could not be started or contacted.
}  // namespace exit_code

/// The arguments after a command's name.
struct Args {
  std::vector<std::string> own = {};             ///< Up to the first `--`.
  std::vector<std::string> server_command = {};  ///< After it: the command line of a server to start.
};

/// A command of the program. `run` returns an exit code.
struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Args& args);
};

int run_add(const Args& args);
int run_answer(const Args& args);
int run_bench(const Args& args);
int run_bridge(const Args& args);
int run_call(const Args& args);
int run_check(const Args& args);
int run_completions(const Args& args);
int run_connect(const Args& args);
int run_demo(const Args& args);
int run_discover(const Args& args);
int run_doctor(const Args& args);
int run_explain(const Args& args);
int run_key(const Args& args);
int run_list(const Args& args);
int run_ls(const Args& args);
int run_man(const Args& args);
int run_pin(const Args& args);
int run_ping(const Args& args);
int run_prompt(const Args& args);
int run_read(const Args& args);
int run_record(const Args& args);
int run_replay(const Args& args);
int run_rm(const Args& args);
int run_serve(const Args& args);
int run_smoke(const Args& args);
int run_tap(const Args& args);
int run_tools(const Args& args);

std::span<const Command> commands();

/// Runs the program with the arguments of `main`, without the program's name. Returns the exit code.
int run(const std::vector<std::string>& arguments);

}  // namespace fairlead::cli
