#include "cli/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::cli::options_test {
namespace {

using testing::ElementsAre;

TEST(Options, RepeatableOptionTakesOneValueEachTime) {
  Options options;
  std::vector<std::string> files, words;
  options.repeatable("-c", files, "which file", "<file>");
  options.positionals("words", words, "the others");
  EXPECT_EQ(options.parse({.own = {"-c", "a.yaml", "demo", "-c", "b.yaml", "echo"}}), std::nullopt);
  EXPECT_THAT(files, ElementsAre("a.yaml", "b.yaml"));
  EXPECT_THAT(words, ElementsAre("demo", "echo"));
}

TEST(Options, Finding_C3_LayoutSeparatesPositionalsFromOptionValues) {
  Options options;
  std::vector<std::string> files;
  std::string timeout, debug;
  bool json = false;
  options.repeatable("-c,--config", files, "which file", "<file>");
  options.text("--timeout", timeout, "how long", "<duration>");
  options.optional_value("--debug", debug, "log");
  options.flag("--json", json, "as JSON");
  const std::vector<std::string> line{"--timeout", "3s",  "memory",     "-c",      "a",    "--json",
                                      "tools",     "-cb", "--config=c", "--debug", "last", "--unknown"};
  const auto layout = options.layout(line, "--config");
  EXPECT_THAT(layout.positionals, ElementsAre(2, 6, 10));
  EXPECT_THAT(layout.values, ElementsAre("a", "b", "c"));
  EXPECT_FALSE(layout.wants_help);
  EXPECT_TRUE(options.layout({"x", "--help"}, "--config").wants_help);
}

TEST(Options, HookTakesArgumentsBeforeTheRestIsParsed) {
  Options options;
  std::vector<std::string> words, command;
  options.positionals("words", words, "the others");
  options.server_command(command);
  options.before_parsing([](Args& args) {
    args.own.erase(args.own.begin());
    return std::nullopt;
  });
  EXPECT_EQ(options.parse({.own = {"--taken", "left"}, .server_command = {"./server"}}), std::nullopt);
  EXPECT_THAT(words, ElementsAre("left"));
  EXPECT_THAT(command, ElementsAre("./server"));
}

TEST(Options, ExitCodeOfAHookEndsTheCommand) {
  Options options;
  bool checked = false;
  options.before_parsing([](Args& args) { return args.own.empty() ? std::nullopt : std::optional(7); });
  options.after_parsing([&] {
    checked = true;
    return std::optional(8);
  });
  EXPECT_EQ(options.parse({.own = {"--unknown"}}), 7);
  EXPECT_FALSE(checked);
  EXPECT_EQ(options.parse({}), 8);
}

}  // namespace
}  // namespace fairlead::cli::options_test
