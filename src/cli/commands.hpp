#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::cli {

namespace exit_code {
inline constexpr int done = 0;
inline constexpr int failed = 1;
inline constexpr int usage = 2;        ///< Asked for something that does not exist.
inline constexpr int unreachable = 3;  ///< The server could not be started or spoken to.
}  // namespace exit_code

/// What follows a command's name.
struct Words {
  std::vector<std::string> own = {};    ///< Up to the first `--`.
  std::vector<std::string> child = {};  ///< What stands behind it: a server to start.
};

/// A word of the command line, and what it does; returns an exit code.
struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Words& words);
};

int run_add(const Words& words);
int run_answer(const Words& words);
int run_bench(const Words& words);
int run_bridge(const Words& words);
int run_call(const Words& words);
int run_check(const Words& words);
int run_completions(const Words& words);
int run_connect(const Words& words);
int run_demo(const Words& words);
int run_discover(const Words& words);
int run_doctor(const Words& words);
int run_explain(const Words& words);
int run_key(const Words& words);
int run_list(const Words& words);
int run_ls(const Words& words);
int run_man(const Words& words);
int run_pin(const Words& words);
int run_ping(const Words& words);
int run_prompt(const Words& words);
int run_read(const Words& words);
int run_record(const Words& words);
int run_replay(const Words& words);
int run_rm(const Words& words);
int run_serve(const Words& words);
int run_smoke(const Words& words);
int run_tap(const Words& words);
int run_tools(const Words& words);

std::span<const Command> commands();

/// The program: everything between `main` and its exit code.
int run(const std::vector<std::string>& arguments);

}  // namespace fairlead::cli
