#include "cli/completion_scripts.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "cli/commands.hpp"

namespace fairlead::cli::completion_scripts_test {
namespace {

CommandSpec paint() {
  CommandSpec command{.name = "paint", .summary = "it's: done"};
  command.options = {
      {.names = {"-c", "--colour"}, .value = "red|blue", .help = "which [one]"},
      {.names = {"--file"}, .value = "<file>", .help = "it's a file"},
      {.names = {"--fast"}, .help = "be quick"},
      {.names = {"shape"}, .value = "round|square", .help = "which shape", .is_positional = true},
  };
  return command;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CompletionScripts, BashOffersOptionsAndChoices) {
  const auto script = bash_script({paint()});
  EXPECT_TRUE(has(script, "'paint -c' | 'paint --colour') COMPREPLY=($(compgen -W 'red blue'"));
  EXPECT_TRUE(has(script, "'paint --file') COMPREPLY=($(compgen -f"));
  EXPECT_TRUE(has(script, "paint) words='-c --colour --file --fast round square'"));
}

TEST(CompletionScripts, ZshEscapesSpecialCharacters) {
  const auto script = zsh_script({paint()});
  EXPECT_TRUE(has(script, R"('paint:it'\''s\: done')"));
  EXPECT_TRUE(has(script, R"('*--colour[which \[one\]]:red|blue:(red blue)')"));
}

TEST(CompletionScripts, FishMarksOptionsThatTakeAValue) {
  const auto script = fish_script({paint()});
  EXPECT_TRUE(has(script, "-s c -l colour -x -a 'red blue'"));
  EXPECT_TRUE(has(script, "-l file -r"));
  EXPECT_TRUE(has(script, "-l fast -d"));
}

TEST(CompletionScripts, Finding_C6_OffersFilesOnlyForFileOptions) {
  CommandSpec command{.name = "serve", .summary = "serves"};
  command.options = {{.names = {"--port"}, .value = "<port>", .help = "where"},
                     {.names = {"--cwd"}, .value = "<directory>", .help = "there"}};
  const auto bash = bash_script({command}), zsh = zsh_script({command}), fish = fish_script({command});
  EXPECT_TRUE(has(bash, "'serve --port') compopt +o default"));
  EXPECT_TRUE(has(bash, "'serve --cwd') COMPREPLY=($(compgen -f"));
  EXPECT_TRUE(has(zsh, "'*--port[where]:<port>: '"));
  EXPECT_TRUE(has(zsh, "'*--cwd[there]:<directory>:_files'"));
  EXPECT_TRUE(has(fish, "-l port -x -d"));
  EXPECT_TRUE(has(fish, "-l cwd -r -d"));
}

TEST(CompletionScripts, Finding_C3_TheFormWithoutACommandHasASpec) {
  const auto bridge = bridge_command_spec();
  std::vector<std::string> names;
  for (const auto& option : bridge.options) names.insert(names.end(), option.names.begin(), option.names.end());
  for (const auto* name : {"--port", "--host", "--share", "--insecure", "-e", "--keys", "--help", "--version"}) {
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  }
}

TEST(CompletionScripts, EveryCommandHasASpec) {
  const auto all = all_command_specs();
  EXPECT_EQ(all.size(), commands().size());
  for (const auto& command : all) {
    EXPECT_TRUE(command.usage.starts_with(command.name)) << command.name;
    EXPECT_FALSE(command.examples.empty()) << command.name;
    const auto has_help = [](const OptionSpec& option) {
      return std::ranges::find(option.names, "--help") != option.names.end();
    };
    EXPECT_TRUE(std::ranges::any_of(command.options, has_help)) << command.name;
  }
}

}  // namespace
}  // namespace fairlead::cli::completion_scripts_test
