#include "cli/commands.hpp"
#include "cli/completion_scripts.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace fairlead::cli {
namespace {

constexpr auto completions_examples = R"(  source <(fairlead completions bash)
  fairlead completions zsh > ~/.zfunc/_fairlead
  fairlead completions fish > ~/.config/fish/completions/fairlead.fish)";

}  // namespace

std::vector<std::string> option_choices(const OptionSpec& option) {
  std::vector<std::string> choices;
  if (option.value.empty() || option.value.front() == '<') return choices;
  for (std::size_t begin = 0; begin <= option.value.size();) {
    const auto end = std::min(option.value.find('|', begin), option.value.size());
    choices.push_back(option.value.substr(begin, end - begin));
    begin = end + 1;
  }
  return choices;
}

int run_completions(const Args& args) {
  Options options("completions bash|zsh|fish", "Prints a completion script for a shell.", completions_examples);
  std::string shell;
  options.positional_choice("shell", shell, "the shell", {"bash", "zsh", "fish"});
  if (const auto done = options.parse(args.own)) return *done;
  const auto commands = all_command_specs();
  const auto bridge = bridge_command_spec();
  if (shell == "bash") return print(bash_script(commands, bridge));
  if (shell == "zsh") return print(zsh_script(commands, bridge));
  if (shell == "fish") return print(fish_script(commands, bridge));
  print_stderr("fairlead completions: name a shell: bash, zsh or fish; see fairlead completions --help");
  return exit_code::usage;
}

}  // namespace fairlead::cli
