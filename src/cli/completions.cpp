#include "cli/commands.hpp"
#include "cli/completion_scripts.hpp"
#include "cli/output.hpp"

namespace fairlead::cli {
namespace {

constexpr auto completions_examples = R"(  source <(fairlead completions bash)
  fairlead completions zsh > ~/.zfunc/_fairlead
  fairlead completions fish > ~/.config/fish/completions/fairlead.fish)";

struct CompletionsOptions {
  std::string shell = {};
};

int run_completions(CompletionsOptions flags) {
  const auto commands = all_command_specs();
  const auto bridge = bridge_command_spec();
  if (flags.shell == "bash") return print(bash_script(commands, bridge));
  if (flags.shell == "zsh") return print(zsh_script(commands, bridge));
  if (flags.shell == "fish") return print(fish_script(commands, bridge));
  return usage_error("completions", "name a shell: bash, zsh or fish");
}

}  // namespace

RunCommand declare_completions(Options& options) {
  auto flags = std::make_shared<CompletionsOptions>();
  options.describe("completions bash|zsh|fish", "Prints a completion script for a shell.", completions_examples);
  options.choice("shell", flags->shell, "the shell", {"bash", "zsh", "fish"});
  return [flags] { return run_completions(*flags); };
}

}  // namespace fairlead::cli
