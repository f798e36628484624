#include "cli/completion_scripts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Inside of single quotes, where a single quote ends them.
std::string in_single_quotes(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + out + "'";
}

std::string joined_names(const std::vector<OutlinedCommand>& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command.name);
  return fmt::format("{}", fmt::join(names, " "));
}

/// Only where a file or folder is wanted: a port is neither.
bool takes_path(const OutlinedOption& option) {
  return option.value == "<file>" || option.value == "<folder>" || option.value == "<path>";
}

// What may stand behind an option.
std::string bash_values(const OutlinedCommand& command) {
  std::string text;
  for (const auto& option : command.outline.options) {
    if (option.is_word || option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const auto& name : option.names) patterns.push_back(fmt::format("'{} {}'", command.name, name));
    const auto choices = choices_of(option);
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

std::string bash_words(const OutlinedCommand& command) {
  std::vector<std::string> words;
  for (const auto& option : command.outline.options) {
    const auto choices = option.is_word ? choices_of(option) : option.names;
    words.insert(words.end(), choices.begin(), choices.end());
  }
  return fmt::format("    {}) words='{}' ;;\n", command.name, fmt::join(words, " "));
}

std::string zsh_argument(const OutlinedOption& option) {
  const auto help = escaped(option.help, "[]\\:", "\\");
  const auto choices = choices_of(option);
  const auto files = option.is_word || takes_path(option) ? ":_files" : ": ";
  const auto value = choices.empty() ? files : fmt::format(":({})", fmt::join(choices, " "));
  if (option.is_word) return in_single_quotes(fmt::format("*:{}{}", option.names.front(), value));
  std::string all;
  for (const auto& name : option.names) {
    const auto takes = option.value.empty() ? "" : fmt::format(":{}{}", escaped(option.value, ":", "\\"), value);
    all += (all.empty() ? "" : " ") + in_single_quotes(fmt::format("*{}[{}]{}", name, help, takes));
  }
  return all;
}

std::string fish_option(const OutlinedCommand& command, const OutlinedOption& option) {
  auto text = fmt::format("complete -c fairlead -n '__fish_seen_subcommand_from {}'", command.name);
  const auto choices = choices_of(option);
  if (option.is_word) {
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

std::vector<OutlinedCommand> outlined_commands() {
  std::vector<OutlinedCommand> all;
  for (const auto& command : commands()) {
    all.push_back({std::string(command.name), std::string(command.summary), outline_of(command.run)});
  }
  return all;
}

std::string bash_script(const std::vector<OutlinedCommand>& commands) {
  std::string values, words;
  for (const auto& command : commands) {
    values += bash_values(command);
    words += bash_words(command);
  }
  return fmt::format(R"(# Completions of fairlead for bash: source <(fairlead completions bash)
_fairlead() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}} words='' word
  COMPREPLY=()
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    [[ $word == -- ]] && return
  done
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{} help --help --version' -- "$current"))
    return
  fi
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

std::string zsh_script(const std::vector<OutlinedCommand>& commands) {
  std::string names, cases;
  for (const auto& command : commands) {
    names += "    " + in_single_quotes(command.name + ":" + escaped(command.summary, ":", "\\")) + "\n";
    cases += fmt::format("    {})\n      _arguments", command.name);
    for (const auto& option : command.outline.options) cases += " \\\n        " + zsh_argument(option);
    cases += "\n      ;;\n";
  }
  return fmt::format(R"(#compdef fairlead
# Completions of fairlead for zsh: fairlead completions zsh > a folder of $fpath/_fairlead
_fairlead() {{
  local -a commands=(
{}  )
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
# Loaded by the first Tab it has to answer that one; sourced, it waits for its turn.
if [[ $funcstack[1] == _fairlead ]]; then _fairlead "$@"; else compdef _fairlead fairlead; fi
)",
                     names, cases);
}

std::string fish_script(const std::vector<OutlinedCommand>& commands) {
  std::string text = "# Completions of fairlead for fish: fairlead completions fish | source\n";
  for (const auto& command : commands) {
    text += fmt::format("complete -c fairlead -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        in_single_quotes(command.summary));
  }
  for (const auto& command : commands) {
    for (const auto& option : command.outline.options) text += fish_option(command, option);
  }
  return text;
}

}  // namespace fairlead::cli
