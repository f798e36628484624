#include "cli/completion_scripts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"

namespace fairlead::cli {
namespace {

std::string escaped(std::string_view text, std::string_view special, std::string_view with) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += with;
    out += c;
  }
  return out;
}

/// Quotes text for a shell in single quotes; a single quote inside becomes '\''.
std::string in_single_quotes(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + out + "'";
}

std::string joined_names(const std::vector<CommandSpec>& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command.name);
  return fmt::format("{}", fmt::join(names, " "));
}

/// The choices of an option; empty if any value is allowed.
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

/// Whether to complete paths. Not for other values, such as ports.
bool takes_path(const OptionSpec& option) {
  return option.value == "<file>" || option.value == "<directory>" || option.value == "<path>";
}

// Cases for the values of options.
std::string bash_values(const CommandSpec& command) {
  std::string text;
  for (const auto& option : command.options) {
    if (option.is_positional || option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const auto& name : option.names) patterns.push_back(fmt::format("'{} {}'", command.name, name));
    const auto choices = option_choices(option);
    if (choices.empty() && !takes_path(option)) {
      text += fmt::format("    {}) compopt +o default 2>/dev/null; return ;;\n", fmt::join(patterns, " | "));
      continue;
    }
    const auto what = choices.empty() ? "-f" : fmt::format("-W '{}'", fmt::join(choices, " "));
    text +=
        fmt::format("    {}) COMPREPLY=($(compgen {} -- \"$current\")); return ;;\n", fmt::join(patterns, " | "), what);
  }
  return text;
}

std::string bash_option_words(const CommandSpec& command) {
  std::vector<std::string> words;
  for (const auto& option : command.options) {
    const auto choices = option.is_positional ? option_choices(option) : option.names;
    words.insert(words.end(), choices.begin(), choices.end());
  }
  return fmt::format("    {}) words='{}' ;;\n", command.name.empty() ? "''" : command.name, fmt::join(words, " "));
}

std::string zsh_argument(const OptionSpec& option) {
  const auto help = escaped(option.help, "[]\\:", "\\");
  const auto choices = option_choices(option);
  const auto files = option.is_positional || takes_path(option) ? ":_files" : ": ";
  const auto value = choices.empty() ? files : fmt::format(":({})", fmt::join(choices, " "));
  if (option.is_positional) return in_single_quotes(fmt::format("*:{}{}", option.names.front(), value));
  std::string all;
  for (const auto& name : option.names) {
    const auto takes = option.value.empty() ? "" : fmt::format(":{}{}", escaped(option.value, ":", "\\"), value);
    all += (all.empty() ? "" : " ") + in_single_quotes(fmt::format("*{}[{}]{}", name, help, takes));
  }
  return all;
}

std::string fish_option(std::string_view condition, const OptionSpec& option) {
  auto text = fmt::format("complete -c fairlead -n '{}'", condition);
  const auto choices = option_choices(option);
  if (option.is_positional) {
    return choices.empty() ? "" : fmt::format("{} -a '{}'\n", text, fmt::join(choices, " "));
  }
  for (const auto& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!choices.empty())
    text += fmt::format(" -x -a '{}'", fmt::join(choices, " "));
  else if (!option.value.empty())
    text += takes_path(option) ? " -r" : " -x";
  return text + " -d " + in_single_quotes(option.help) + "\n";
}

}  // namespace

std::vector<CommandSpec> all_command_specs() {
  std::vector<CommandSpec> all;
  for (const auto& command : commands()) all.push_back(spec_of(command));
  return all;
}

CommandSpec bridge_command_spec() {
  auto bridge = spec_of(bridge_command);
  bridge.options.push_back({.names = {"--version"}, .help = "show the version and the supported MCP revisions"});
  return bridge;
}

std::string bash_script(const std::vector<CommandSpec>& commands, const CommandSpec& bridge) {
  // The form without a command has an empty name.
  std::string values = bash_values(bridge), words = bash_option_words(bridge);
  for (const auto& command : commands) {
    values += bash_values(command);
    words += bash_option_words(command);
  }
  return fmt::format(R"(# Completions of fairlead for bash: source <(fairlead completions bash)
_fairlead() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}} words='' word
  COMPREPLY=()
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    [[ $word == -- ]] && return
  done
  if ((COMP_CWORD == 1)) && [[ $current != -* ]]; then
    COMPREPLY=($(compgen -W '{} help' -- "$current"))
    return
  fi
  [[ $command == -* ]] && command=''
  case "$command $previous" in
{}  esac
  case $command in
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _fairlead fairlead
)",
                     joined_names(commands), values, words);
}

std::string zsh_script(const std::vector<CommandSpec>& commands, const CommandSpec& bridge) {
  std::string names, cases, options;
  for (const auto& option : bridge.options) options += " \\\n      " + zsh_argument(option);
  for (const auto& command : commands) {
    names += "    " + in_single_quotes(fmt::format("{}:{}", command.name, escaped(command.summary, ":", "\\"))) + "\n";
    cases += fmt::format("    {})\n      _arguments", command.name);
    for (const auto& option : command.options) cases += " \\\n        " + zsh_argument(option);
    cases += "\n      ;;\n";
  }
  return fmt::format(R"(#compdef fairlead
# Completions of fairlead for zsh: fairlead completions zsh > <directory in $fpath>/_fairlead
_fairlead() {{
  local -a commands=(
{}  )
  if [[ $words[2] == -* ]]; then
    _arguments -S{}
    return
  fi
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
# Autoloaded: this call must complete. Sourced: only register.
if [[ $funcstack[1] == _fairlead ]]; then _fairlead "$@"; else compdef _fairlead fairlead; fi
)",
                     names, options, cases);
}

std::string fish_script(const std::vector<CommandSpec>& commands, const CommandSpec& bridge) {
  std::string text = R"(# Completions of fairlead for fish: fairlead completions fish | source
function __fairlead_without_command
    set -l words (commandline -opc)
    test (count $words) -lt 2; or string match -q -- '-*' $words[2]; and not contains -- -- $words
end
)";
  for (const auto& command : commands) {
    text += fmt::format("complete -c fairlead -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        in_single_quotes(command.summary));
  }
  for (const auto& option : bridge.options) text += fish_option("__fairlead_without_command", option);
  for (const auto& command : commands) {
    const auto condition = fmt::format("__fish_seen_subcommand_from {}", command.name);
    for (const auto& option : command.options) text += fish_option(condition, option);
  }
  return text;
}

}  // namespace fairlead::cli
