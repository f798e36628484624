#include "cli/completion_scripts.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace fairlead::cli::completion_scripts_test {
namespace {

OutlinedCommand paint() {
  OutlinedCommand command{.name = "paint", .summary = "it's: done", .outline = {}};
  command.outline.options = {
      {.names = {"-c", "--colour"}, .value = "red|blue", .help = "which [one]"},
      {.names = {"--file"}, .value = "<file>", .help = "it's a file"},
      {.names = {"--fast"}, .help = "be quick"},
      {.names = {"shape"}, .value = "round|square", .help = "which shape", .is_word = true},
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

TEST(CompletionScripts, ZshEscapesWhatHasAMeaning) {
  const auto script = zsh_script({paint()});
  EXPECT_TRUE(has(script, R"('paint:it'\''s\: done')"));
  EXPECT_TRUE(has(script, R"('*--colour[which \[one\]]:red|blue:(red blue)')"));
}

TEST(CompletionScripts, FishKnowsWhichOptionsTakeAValue) {
  const auto script = fish_script({paint()});
  EXPECT_TRUE(has(script, "-s c -l colour -x -a 'red blue'"));
  EXPECT_TRUE(has(script, "-l file -r"));
  EXPECT_TRUE(has(script, "-l fast -d"));
}

TEST(CompletionScripts, EveryCommandOutlinesItself) {
  const auto all = outlined_commands();
  EXPECT_EQ(all.size(), commands().size());
  for (const auto& command : all) {
    EXPECT_TRUE(command.outline.usage.starts_with(command.name)) << command.name;
    EXPECT_FALSE(command.outline.examples.empty()) << command.name;
    const auto has_help = [](const OutlinedOption& option) {
      return std::ranges::find(option.names, "--help") != option.names.end();
    };
    EXPECT_TRUE(std::ranges::any_of(command.outline.options, has_help)) << command.name;
  }
}

}  // namespace
}  // namespace fairlead::cli::completion_scripts_test
